// SPDX-License-Identifier: MIT
// Which of a session's changes an apply takes, and what stands in its way. Pure.

#pragma once

#include "shadow/promotion.hpp"

#include "apply/choice/on_conflict.hpp"
#include "changes/dependents/dependents.hpp"
#include "session/selection/selection.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace shadow::apply {

struct ApplyChoice {
  session::Selection selection;
  OnConflict on_conflict = OnConflict::Merge;
  bool ignored = false;
  bool allow_sensitive = false;              // all of them, outside of `.git`
  std::vector<std::string> sensitive_paths;  // these and what lies below, relative to the project
  bool skip_sensitive = false;

  // Paths that a person was asked about and did not take. A directory among them is applied all the
  // same when something taken needs it.
  std::set<std::string> refused;

  // New git directories, or files of one, that stay, and why.
  std::map<std::string, std::string> held{};

  // Beside the renames and hard links that a change names. Not used for Theirs.
  changes::Together together{};
};

// `has_git_dir` tells whether the real tree has something at a path that ends in `.git`. What is
// taken leaves the set.
[[nodiscard]] ChosenChanges choose_changes(
    ReviewSet& set, const ApplyChoice& choice,
    const std::function<bool(const std::string& path)>& has_git_dir);

// The paths of the work tree that were selected and stay in the session.
[[nodiscard]] std::vector<std::string> staying_paths(const ChosenChanges& chosen);

}  // namespace shadow::apply
