// SPDX-License-Identifier: MIT
// What has to be so before commits are written into the real repository.

#pragma once

#include "shadow/apply.hpp"

#include "sys/files/lock.hpp"

namespace shadow::commits {

// The project's lock, against other applies. The locks in the git directory that an apply left when
// it was killed are removed. Throws Error (Refused).
[[nodiscard]] sys::FileLock lock_for_commits(const ApplySite& site);

// Whether a merge, rebase, cherry-pick or revert goes on in a git directory.
[[nodiscard]] bool operation_goes_on(int git_dir);

}  // namespace shadow::commits
