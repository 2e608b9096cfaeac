// SPDX-License-Identifier: MIT
// Reports the changes that an apply leaves in the session.

#include "apply/choice/choice.hpp"
#include "sensitive/repositories/new_git_dir.hpp"
#include "session/project/git_dir.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace shadow::apply {

std::vector<std::string> staying_paths(const ChosenChanges& chosen) {
  std::vector<std::string> paths;
  for (const SkippedItem& left : chosen.left) {
    if (left.because != SkipReason::GitDir && left.because != SkipReason::History) {
      paths.push_back(left.item.change.path);
    }
  }
  return paths;
}

}  // namespace shadow::apply

namespace shadow {

namespace {

bool is_git_bookkeeping(std::string_view path) {
  constexpr std::string_view kDir = ".git/";
  if (path == ".git") {
    return true;
  }
  if (!path.starts_with(kDir)) {
    return false;
  }
  path.remove_prefix(kDir.size());
  constexpr std::array<std::string_view, 10> kFiles = {
      "HEAD",           "ORIG_HEAD",  "FETCH_HEAD", "packed-refs", "index",
      "COMMIT_EDITMSG", "MERGE_HEAD", "MERGE_MSG",  "MERGE_MODE",  "AUTO_MERGE"};
  constexpr std::array<std::string_view, 5> kTrees = {"refs", "objects", "logs", "rebase-merge",
                                                      "rebase-apply"};
  if (path.starts_with("objects/info/")) {
    return false;
  }
  return std::find(kFiles.begin(), kFiles.end(), path) != kFiles.end() ||
         std::any_of(kTrees.begin(), kTrees.end(), [path](std::string_view tree) {
           return path == tree || (path.starts_with(tree) && path[tree.size()] == '/');
         });
}

}  // namespace

bool is_shown_as_commits(const SkippedItem& left) {
  return left.because == SkipReason::GitDir && is_git_bookkeeping(left.item.change.path);
}

std::string new_repository_of(const ReviewItem& item) {
  if (item.standing != Standing::GitDir || !sensitive::belongs_to_new_git_dir(item.change)) {
    return {};
  }
  return session::git_dir_of(item.change.path).value_or(item.change.path);
}

const char* to_word(SkipReason because) {
  switch (because) {
    case SkipReason::Ignored:
      return "ignored";
    case SkipReason::Sensitive:
      return "sensitive";
    case SkipReason::GitDir:
      return "git-dir";
    case SkipReason::History:
      return "history";
    case SkipReason::NotEmpty:
      return "not-empty";
    case SkipReason::Device:
      return "device";
    case SkipReason::Conflict:
      break;
  }
  return "conflict";
}

}  // namespace shadow
