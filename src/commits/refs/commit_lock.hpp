// SPDX-License-Identifier: MIT
// Preconditions of writing commits into the real repository. Not by libgit2, which would open it,
// with its configuration, to tell its state.

#pragma once

#include "shadow/apply.hpp"

#include "sys/files/lock.hpp"

namespace shadow::commits {

// The project's lock, against other applies. The locks in the git directory that an apply left when
// it was killed are removed. Throws Error (Refused).
[[nodiscard]] sys::FileLock lock_for_commits(const ApplySite& site);

// True if a merge, rebase, cherry-pick or revert is in progress in a git directory, also between
// two commits of it. A bisection is none: its HEAD is on no branch.
[[nodiscard]] bool has_operation_in_progress(int git_dir);

}  // namespace shadow::commits
