// SPDX-License-Identifier: MIT
// The plan of a refresh, complete before the upper is changed.

#pragma once

#include "shadow/refresh.hpp"

#include "changes/merger.hpp"
#include "refresh/own_changes.hpp"
#include "session/directory/review_session.hpp"
#include "session/selection/selection.hpp"

#include <set>
#include <string>
#include <vector>

namespace shadow::refresh {

struct RefreshStep {
  enum class Kind : std::uint8_t {
    Rewrite,  // with a merge
    Drop,     // the entry is the base still
    Prune,    // the entry is what the project has
    Adopt,    // the project's attributes, of a directory
    Rebase    // what the project has becomes the base: the session's text was made from it
  };
  Kind kind = Kind::Drop;
  std::string path;         // of the upper's entry
  std::string base_path;    // another one when the session renamed the file
  Entry real;               // at base_path
  changes::TwoSides sides;  // of a Rewrite, with `how`, and a Rebase
  Resolution how;
  ReviewItem item;
};

struct RefreshPlan {
  std::vector<RefreshStep> steps;
  std::vector<SkippedPath> left;
  std::vector<ReviewItem> left_ignored;
  std::set<std::string> emptied;  // directories without a change, where the project has none
  OwnChanges hiding;              // filled by make_keep_up_plan
};

// Throws StaleError when files change while they are read.
[[nodiscard]] RefreshPlan make_refresh_plan(const session::ReviewSession& session,
                                            const session::Selection& selection);

// Plans to bring untouched entries of the session up to date, at and below these paths, or all of
// them: entries that are the base still, or a copy of the project's (Drop), those that are what the
// project has while the base is another (Prune), and directories whose mode the project has changed
// (Adopt). As above.
[[nodiscard]] RefreshPlan make_keep_up_plan(const session::ReviewSession& session,
                                            const std::set<std::string>& paths);

// True if the step is reported; an entry that both sides have alike is not.
[[nodiscard]] bool is_reported(const RefreshStep& step);

}  // namespace shadow::refresh
