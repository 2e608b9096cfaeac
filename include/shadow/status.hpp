// SPDX-License-Identifier: MIT
// The report of `shadow status`, as data.

#pragma once

#include "shadow/commits.hpp"
#include "shadow/records.hpp"
#include "shadow/review.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shadow {

// The ignored changes below one directory, or one ignored file.
struct IgnoredFold {
  std::string path;
  bool directory = false;
  std::uint64_t files = 0;    // new or changed ones
  std::uint64_t deleted = 0;  // counted apart: a deletion is never hidden
  std::uint64_t bytes = 0;    // of the former
  // Of both, those that the project changed too, and how: of those in conflict, if there are any.
  std::uint64_t both_changed = 0;
  Verdict verdict = Verdict::Nothing;
  Drift drift = Drift::None;
};

// The ignored ones of these items, folded. Pure.
[[nodiscard]] std::vector<IgnoredFold> fold_ignored(const std::vector<const ReviewItem*>& items);

// A session as it was when it was looked at, or the part of it at some paths. Sizes are in bytes.
struct StatusReport {
  SessionRecord session;
  std::string place;  // where the caller stands, relative to the project

  std::vector<ReviewItem> items;     // what an apply would take, in the order of their paths
  std::vector<IgnoredFold> ignored;  // likewise

  TooDeep too_deep;  // what no apply takes

  // Paths to which a refresh would bring what the project has changed.
  std::size_t behind = 0;

  std::vector<BranchWork> branches;    // refs that differ from the project's
  std::vector<PlannedRef> planned;     // those for which an apply of the whole does something
  std::vector<std::string> not_shown;  // paths at which commits bring what `items` does not tell
  bool git_dir_changed = false;        // the upper says something about the project's `.git`
  bool git_dir_new = false;            // the project has none
  // "sub/.git" of the project's, in which the session has other refs.
  std::vector<std::string> nested_git_dirs;
  std::vector<NewHistory> new_repositories;  // that the session made, that one too
  std::vector<RunRecord> live;               // runs that go on
  bool follows_by_time = false;              // their view, and not as soon as the project changes
  bool shared_storage = false;      // the project's: other machines can change it unreported
  std::vector<RunRecord> outside;   // runs that could write to real paths, past review
  std::uint64_t home_bytes = 0;     // written to the home layer
  std::uint64_t base_left_out = 0;  // files too many or too large for the base tree
};

}  // namespace shadow
