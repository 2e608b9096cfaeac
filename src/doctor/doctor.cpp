// SPDX-License-Identifier: MIT
#include "doctor/doctor.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "doctor/doctor_checks.hpp"
#include "sandbox/setup/namespaces.hpp"

#include <algorithm>

#include <sys/stat.h>

namespace shadow::doctor {

Finding found(const std::string& name, const sandbox::ProbeResult& result, Health otherwise) {
  if (!result) {
    return {name, Health::Ok, {}, {}};
  }
  // The end of a run's hint would send the reader in a circle.
  std::string advice = result->advice;
  if (advice == sandbox::kAskDoctor) {
    advice.clear();
  } else if (advice.ends_with(sandbox::kDoctorSaysMore)) {
    advice.erase(advice.size() - std::string_view{sandbox::kDoctorSaysMore}.size());
  }
  return {name, otherwise, result->cause, std::move(advice)};
}

namespace {

// Each part on its own: one that cannot even look must not hide what the others find.
template <class Check>
void guarded(Findings& findings, const char* name, Check check) {
  try {
    check();
  } catch (const Error& error) {
    findings.push_back({name, Health::Cannot, error.what(), error.hint()});
  }
}

}  // namespace

}  // namespace shadow::doctor

namespace shadow {

std::string_view name_of(Health health) {
  switch (health) {
    case Health::Ok:
      return "ok";
    case Health::Degraded:
      return "degraded";
    case Health::Cannot:
      break;
  }
  return "cannot";
}

Health worst(const std::vector<Finding>& findings) {
  const auto sickest =
      std::max_element(findings.begin(), findings.end(),
                       [](const Finding& a, const Finding& b) { return a.health < b.health; });
  return sickest == findings.end() ? Health::Ok : sickest->health;
}

}  // namespace shadow

namespace shadow::doctor {

std::vector<Finding> examine(const DoctorRequest& request) {
  Findings findings;
  bool namespaces = false;
  guarded(findings, "host", [&] { namespaces = check_host(findings); });
  if (!request.state.empty()) {
    guarded(findings, "state directory", [&] { check_state(findings, request.state, namespaces); });
  }
  if (!request.project.empty()) {
    guarded(findings, "project", [&] { check_project(findings, request, namespaces); });
  }
  bool home_overlay = false;
  if (!request.home.empty()) {
    guarded(findings, "home", [&] { check_home(findings, request, namespaces); });
    home_overlay = findings.back().health == Health::Ok;
  }
  // If a part cannot work, no run can, and the part's own finding says more.
  if (!request.state.empty() && worst(findings) != Health::Cannot) {
    guarded(findings, "run",
            [&] { check_runs(findings, StateDir::at(request.state), home_overlay); });
  }
  if (!request.project.empty() && !request.state.empty()) {
    guarded(findings, "sessions",
            [&] { check_sessions(findings, StateDir::at(request.state), request.project); });
  }
  return findings;
}

}  // namespace shadow::doctor
