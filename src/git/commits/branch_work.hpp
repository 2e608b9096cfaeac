// SPDX-License-Identifier: MIT
// Finding the commits that a session made: refs of the view's .git compared with the real ones.
// Reads refs and objects as data; never opens the view's .git as a repository.

#pragma once

#include "shadow/commits.hpp"

#include "git/repository/git_dirs.hpp"

#include <cstddef>
#include <vector>

namespace shadow::git {

// The branches, tags and stash (and a detached HEAD) whose commit differs from the real
// repository's, by name. Empty when the view has no repository. Objects are read in a child process
// with limits on time and memory, because a run can craft them.
[[nodiscard]] std::vector<BranchWork> branch_work(const GitDirs& dirs, std::size_t most_commits);

// The same with all the commits that an apply would bring to a branch, those that an earlier one
// saved below refs/shadow among them: 5000 of a ref, which is the most that it takes, and 20 000
// together.
[[nodiscard]] std::vector<BranchWork> whole_branch_work(const GitDirs& dirs);

}  // namespace shadow::git
