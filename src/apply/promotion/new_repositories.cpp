// SPDX-License-Identifier: MIT
#include "apply/promotion/new_repositories.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "sensitive/repositories/new_git_dir.hpp"
#include "session/project/git_dir.hpp"

#include <cstdint>
#include <utility>

namespace shadow::apply {

namespace {

std::vector<std::string> new_objects(const ReviewSet& set, const std::string& git_dir) {
  std::vector<std::string> files;
  for (const ReviewItem& item : set.items) {
    const Change& change = item.change;
    if (change.after.kind == EntryKind::File && is_at_or_below(change.path, git_dir + "/objects") &&
        sensitive::belongs_to_new_git_dir(change)) {
      files.push_back(change.path);
    }
  }
  return files;
}

// Has the step write what was judged; false when nothing was at its path.
bool pin(const NewHistory& history, Step& step) {
  const auto text = history.texts.find(step.path);
  const auto copy = history.copies.find(step.path);
  if (text != history.texts.end()) {
    step.bytes = text->second;
    step.after.size = step.bytes->size();
  } else if (copy != history.copies.end()) {
    step.source_fd = copy->second;
    step.after.size = overlay::look_fd(copy->second).size;
  } else {
    return false;
  }
  step.action = Action::Write;
  step.link_to.clear();
  step.after.ino = 0;  // the bytes are not those of the session's file
  return true;
}

}  // namespace

void reduce_git_configs(const session::ReviewSession& session, const ApplyChoice& choice,
                        ApplyPlan& plan) {
  const overlay::View view{session.upper.get(), session.lower.get()};
  for (Step& step : plan.steps) {
    const auto dir = session::git_dir_of(step.path);
    if (!dir || step.action != Action::Write || step.path != *dir + "/config") {
      continue;
    }
    bool allowed = false;
    for (const std::string& path : choice.sensitive_paths) {
      allowed = allowed || is_at_or_below(step.path, path);
    }
    if (!allowed) {
      constexpr std::uint64_t kMostConfig = 1U << 20U;
      step.bytes = sensitive::reduced_git_config(view.read(step.path, kMostConfig).value_or(""));
      step.after.size = step.bytes->size();
    }
  }
}

std::vector<NewHistory> new_histories(const session::ReviewSession& session, const ReviewSet& set,
                                      const ApplyChoice& choice) {
  if (set.new_git_dirs.empty()) {
    return {};
  }
  const commits::CommitChoice of_commits{
      choice.allow_sensitive, choice.sensitive_paths,
      commits::shown_entries(set.items, choice.ignored ? changes::IgnoredItems::Include
                                                       : changes::IgnoredItems::LeaveOut)};
  std::vector<NewHistory> found;
  for (const NewGitDir& dir : set.new_git_dirs) {
    if (choice.selection.leads_to(dir.path) && (choice.ignored || !dir.ignored)) {
      const std::vector<std::string> objects = new_objects(set, dir.path);
      found.push_back(commits::judge_new_history(session, dir.path, of_commits, &objects));
    }
  }
  return found;
}

std::map<std::string, std::string> held_by_history(const std::vector<NewHistory>& histories) {
  std::map<std::string, std::string> held;
  for (const NewHistory& history : histories) {
    if (!history.fault.empty()) {
      held.emplace(history.git_dir, history.fault);
    }
  }
  return held;
}

void pin_histories(const std::vector<NewHistory>& histories, ApplyPlan& plan) {
  for (Step& step : plan.steps) {
    for (const NewHistory& history : histories) {
      if (step.after.kind == EntryKind::File && !pin(history, step) && history.fault.empty() &&
          (is_at_or_below(step.path, history.git_dir + "/refs") ||
           is_at_or_below(step.path, history.git_dir + "/objects"))) {
        throw StaleError{"cannot read " + quoted(history.git_dir) + ": it changed meanwhile",
                         "look at the changes again"};
      }
    }
  }
}

}  // namespace shadow::apply
