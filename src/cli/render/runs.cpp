// SPDX-License-Identifier: MIT
#include "cli/render/runs.hpp"

#include "base/amounts.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "base/time_text.hpp"
#include "cli/render/plural.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <vector>

namespace shadow::cli {

namespace {

std::string duration_text(const RunRecord& run) {
  return run.ended_ns ? human_duration(*run.ended_ns - run.started_ns) : std::string{"-"};
}

// Sentences about limits that a run hit.
std::vector<std::string> limits_hit(const RunRecord& run) {
  std::vector<std::string> sentences;
  if (run.memory_kills > 0) {
    sentences.push_back(fmt::format("{} process{} killed for memory", run.memory_kills,
                                    run.memory_kills == 1 ? "" : "es"));
  }
  if (run.forks_refused > 0) {
    sentences.push_back(plural(static_cast<std::size_t>(run.forks_refused), "fork") + " refused");
  }
  if (!run.limits_note.empty()) {
    sentences.push_back(printable(run.limits_note));
  }
  return sentences;
}

struct Denied {
  std::int64_t count = 0;
  std::string destination;
};

// From the lines "COUNT DESTINATION".
std::vector<Denied> denied_of(const RunRecord& run) {
  std::vector<Denied> found;
  for (const std::string& line : split(run.denied, '\n')) {
    if (const std::size_t blank = line.find(' '); blank != std::string::npos) {
      Denied denied;
      std::from_chars(line.data(), line.data() + blank, denied.count);
      denied.destination = line.substr(blank + 1);
      found.push_back(std::move(denied));
    }
  }
  return found;
}

std::string denied_text(const RunRecord& run) {
  std::vector<std::string> texts;
  for (const Denied& denied : denied_of(run)) {
    texts.push_back(fmt::format("{} ({})", printable(denied.destination), denied.count));
  }
  return join(texts, ", ");
}

}  // namespace

std::string among_text(const RunRange& among) {
  return fmt::format("one of runs {} to {}", among.first, among.last);
}

std::string command_text(const std::vector<std::string>& argv) {
  std::vector<std::string> words;
  words.reserve(argv.size());
  for (const std::string& word : argv) {
    words.push_back(printable(shell_quoted(word)));
  }
  return join(words, " ");
}

std::string ending_text(const RunRecord& run, bool live) {
  if (run.ending == RunEnding::TimedOut) {
    return "time-out";
  }
  if (run.signal) {
    return fmt::format("signal {}", *run.signal);
  }
  if (run.exit_code) {
    return fmt::format("exit {}", *run.exit_code);
  }
  return live ? "still running" : "unknown";
}

std::string log_line(const LoggedRun& logged) {
  const RunRecord& run = logged.run;
  std::string text =
      fmt::format("{:>5}  {}  {:>10}  {:<9}  {:>5}  {}\n", run.id, local_time(run.started_ns),
                  duration_text(run), ending_text(run, logged.live),
                  logged.files == 0 ? "-" : std::to_string(logged.files), command_text(run.argv));
  std::vector<std::string> more = limits_hit(run);
  if (has_settings(run)) {
    more.insert(more.begin(), "policy " + printable(run.policy));
  }
  if (run.state != RunState::Settled) {
    more.emplace_back("its changes are not recorded yet");
  }
  for (const std::string& path : writable_paths(run)) {
    more.push_back("outside of review: " + printable(path));
  }
  if (!run.denied.empty()) {
    more.push_back("denied: " + denied_text(run));
  }
  for (const RunChange& change : logged.unsure) {
    more.push_back(fmt::format("{} {} by {}", printable(change.path), name_of(change.what),
                               among_text(*change.among)));
  }
  if (!more.empty()) {
    text += fmt::format("       {}\n", join(more, "; "));
  }
  return text;
}

std::string show_text(const ShownRun& shown, std::string_view from) {
  const LoggedRun& logged = shown.run;
  const RunRecord& run = logged.run;
  std::string text = fmt::format("run {}\n", run.id);
  const auto line = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("{:<11}{}\n", std::string{name} + ":", value);
  };
  line("command", command_text(run.argv));
  line("directory", printable(run.cwd));
  line("started", local_time(run.started_ns));
  line("took", duration_text(run));
  line("ended",
       ending_text(run, logged.live) +
           (run.ending == RunEnding::Own ? "" : fmt::format(" ({})", name_of(run.ending))));
  line("policy", printable(run.policy));
  if (const std::vector<std::string> hit = limits_hit(run); !hit.empty()) {
    line("limits", join(hit, "; "));
  }
  if (!run.denied.empty()) {
    line("denied", denied_text(run));
  }
  line("session", run.session);
  if (run.state != RunState::Settled) {
    text += "\nIts changes are not recorded yet.\n";
  } else if (!shown.changes.empty()) {
    text += "\n";
    for (const RunChange& change : shown.changes) {
      text += fmt::format("  {:<8}{}{}\n", name_of(change.what),
                          printable(relative_path(change.path, from)),
                          change.among ? "  (by " + among_text(*change.among) + ")" : "");
    }
  }
  return text;
}

namespace {

Json among_json(const RunRange& among) {
  return {{"first", among.first}, {"last", among.last}};
}

}  // namespace

Json run_json(const RunRecord& run) {
  Json record;
  record["run"] = run.id;
  record["session"] = run.session;
  record["argv"] = Json::array();
  for (const std::string& word : run.argv) {
    Json item;
    set_bytes(item, "word", word);
    record["argv"].push_back(std::move(item));
  }
  set_bytes(record, "cwd", run.cwd);
  record["policy"] = Json::parse(run.policy, nullptr, false);
  record["started"] = utc_time(run.started_ns);
  if (run.ended_ns) {
    record["ended"] = utc_time(*run.ended_ns);
    record["duration_ms"] = (*run.ended_ns - run.started_ns) / 1'000'000;
  }
  if (run.exit_code) {
    record["exit"] = *run.exit_code;
  }
  if (run.signal) {
    record["signal"] = *run.signal;
  }
  if (run.ending != RunEnding::Own) {
    record["ending"] = name_of(run.ending);
  }
  if (run.memory_kills > 0) {
    record["memory_kills"] = run.memory_kills;
  }
  if (run.forks_refused > 0) {
    record["forks_refused"] = run.forks_refused;
  }
  if (!run.limits_note.empty()) {
    record["limits_note"] = run.limits_note;
  }
  for (const Denied& denied : denied_of(run)) {
    record["denied"].push_back({{"destination", denied.destination}, {"count", denied.count}});
  }
  return record;
}

Json run_json(const LoggedRun& logged) {
  Json record = run_json(logged.run);
  record["live"] = logged.live;
  record["settled"] = logged.run.state == RunState::Settled;
  record["files"] = logged.files;
  for (const RunChange& change : logged.unsure) {
    Json item;
    set_bytes(item, "path", change.path);
    item["what"] = name_of(change.what);
    item["among"] = among_json(*change.among);
    record["unsure"].push_back(std::move(item));
  }
  return record;
}

Json show_json(const ShownRun& shown) {
  Json top;
  top["run"] = run_json(shown.run);
  top["changes"] = Json::array();
  for (const RunChange& change : shown.changes) {
    Json item;
    set_bytes(item, "path", change.path);
    item["what"] = name_of(change.what);
    if (change.among) {
      item["among"] = among_json(*change.among);
    }
    top["changes"].push_back(std::move(item));
  }
  return top;
}

}  // namespace shadow::cli
