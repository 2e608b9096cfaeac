// SPDX-License-Identifier: MIT
#include "shadow/failure.hpp"
#include "shadow/findings.hpp"
#include "shadow/workspace.hpp"

#include "base/text.hpp"
#include "cli/commands/review.hpp"
#include "cli/render/paint.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace shadow::cli {

namespace {

Paint health_paint(Health health) {
  switch (health) {
    case Health::Ok:
      return Paint::Green;
    case Health::Degraded:
      return Paint::Yellow;
    case Health::Cannot:
      break;
  }
  return Paint::Red;
}

std::string text_of(const Finding& finding, bool color) {
  std::string text = fmt::format(
      "{}  {}{}\n",
      painted(health_paint(finding.health), fmt::format("{:<8}", name_of(finding.health)), color),
      finding.name, finding.cause.empty() ? "" : ": " + printable_text(finding.cause));
  if (!finding.mend.empty()) {
    for (const std::string& line : split(finding.mend, '\n')) {
      text += fmt::format("          {}\n", printable_text(line));
    }
  }
  return text;
}

Json json_of(const std::vector<Finding>& findings) {
  Json top;
  top["health"] = name_of(worst(findings));
  top["findings"] = Json::array();
  for (const Finding& finding : findings) {
    Json record;
    record["name"] = finding.name;
    record["health"] = name_of(finding.health);
    record["cause"] = finding.cause;
    record["mend"] = finding.mend;
    top["findings"].push_back(std::move(record));
  }
  return top;
}

// Without a place for the state no run works, and what else is missing is told all the same.
std::vector<Finding> examine(const std::optional<std::string>& directory) {
  std::optional<workspace::State> state;
  try {
    state = open_state();
  } catch (const workspace::Failure& failure) {
    std::vector<Finding> findings = workspace::State::examine_machine();
    findings.push_back({"state directory", Health::Cannot, failure.what(), failure.hint()});
    return findings;
  }
  return state->examine(directory);
}

}  // namespace

ExitCode doctor(const DoctorOptions& /*options*/, Context& context) {
  const std::vector<Finding> findings = examine(context.global.directory);
  if (context.global.json) {
    context.print(json_of(findings));
  } else {
    for (const Finding& finding : findings) {
      context.out.write(text_of(finding, context.color));
    }
  }
  switch (worst(findings)) {
    case Health::Ok:
      return ExitCode::Ok;
    case Health::Degraded:
      return ExitCode::No;
    case Health::Cannot:
      break;
  }
  return ExitCode::Trouble;
}

}  // namespace shadow::cli
