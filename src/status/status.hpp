// SPDX-License-Identifier: MIT
// What `shadow status` tells, as data.

#pragma once

#include "shadow/commits.hpp"
#include "shadow/review.hpp"

#include "changes/patch_files.hpp"
#include "session/directory/review_session.hpp"
#include "session/selection/selection.hpp"
#include "store/tables/runs.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::status {

// What is ignored below one directory, or one ignored file.
struct IgnoredFold {
  std::string path;
  bool directory = false;
  std::uint64_t files = 0;    // new or changed ones
  std::uint64_t deleted = 0;  // counted apart: a deletion is never hidden
  std::uint64_t bytes = 0;    // of the former
};

struct StatusReport {
  std::string place;  // where the caller stands, relative to the project

  std::vector<ReviewItem> items;     // what an apply would take, in the order of their paths
  std::vector<IgnoredFold> ignored;  // likewise

  TooDeep too_deep;  // what no apply takes

  // Paths to which a refresh would bring what the project has changed.
  std::size_t behind = 0;

  std::vector<BranchWork> branches;
  std::vector<std::string> not_shown;  // paths at which commits bring what `items` does not tell
  bool git_dir_changed = false;        // the upper says something about the project's `.git`
  bool git_dir_new = false;            // the project has none
  std::vector<std::string> new_repositories;  // git directories other than that, of the session's
  std::vector<store::RunRow> live;
  bool follows_by_time = false;        // their view, and not as soon as the project changes
  std::vector<store::RunRow> outside;  // runs that could write to real paths, past review
  std::uint64_t home_bytes = 0;        // written to the home layer
  std::uint64_t base_left_out = 0;     // files too many or too large for the base tree
};

[[nodiscard]] StatusReport make_status(const session::ReviewSession& session,
                                       const session::Selection& selection);

// What is told of a review line by line: what an apply would take, with the two names of a rename
// resolved as one file. With Include what git ignores is among it, path by path.
[[nodiscard]] std::vector<ReviewItem> items_to_tell(const session::ReviewSession& session,
                                                    ReviewSet set, changes::IgnoredItems ignored);

// Git directories that the session made in or above what these items show, or at the top, where the
// project has none. Sorted.
[[nodiscard]] std::vector<std::string> new_repositories(const session::ReviewSession& session,
                                                        const std::vector<ReviewItem>& items);

// The ignored items, folded. Pure.
[[nodiscard]] std::vector<IgnoredFold> fold_ignored(const std::vector<ReviewItem>& items);

}  // namespace shadow::status
