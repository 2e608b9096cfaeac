// SPDX-License-Identifier: MIT
#include "commits/refs/commit_lock.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "promote/recover/transaction.hpp"
#include "promote/repository/git_lock.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace shadow::commits {

sys::FileLock lock_for_commits(const ApplySite& site) {
  constexpr std::chrono::seconds kPatience{10};
  auto lock = promote::lock_project(site, kPatience);
  if (!lock) {
    throw Error{"cannot write commits to " + quoted(site.project) + ": another apply is running",
                "try again when it is done", ExitCode::Refused};
  }
  promote::LockBook::clean_up(site.state, site.project);
  return std::move(*lock);
}

bool has_operation_in_progress(int git_dir) {
  constexpr std::array kMarks = {"MERGE_HEAD",   "CHERRY_PICK_HEAD", "REVERT_HEAD",
                                 "rebase-merge", "rebase-apply",     "sequencer"};
  return std::any_of(kMarks.begin(), kMarks.end(), [git_dir](const char* name) {
    const EntryKind kind = overlay::look_at(git_dir, name).kind;
    return kind == EntryKind::File || kind == EntryKind::Directory;
  });
}

}  // namespace shadow::commits
