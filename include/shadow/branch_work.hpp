// SPDX-License-Identifier: MIT
// Finding the commits that a session made: refs of the view's .git compared with the real ones.
// Reads refs and objects as data; never opens the view's .git as a repository.

#pragma once

#include "shadow/commits.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

// Reads the view's .git: a file's text (nullopt when there is no such file), and the names in a
// directory (none when there is no such directory); paths are relative to the git directory. Both
// may throw Error for what cannot be read.
struct GitDirReader {
  std::function<std::optional<std::string>(const std::string& path)> read;
  std::function<std::vector<std::string>(const std::string& path)> list;
};

struct GitDirs {
  GitDirReader view;
  std::string upper_objects;  // absolute path of the upper's .git/objects; may not exist
  std::string real_git_dir;   // absolute path of the real .git directory
};

// The branches, tags and stash (and a detached HEAD) whose commit differs from the real
// repository's, by name. Empty when the view has no repository. Objects are read in a child process
// with limits on time and memory, because a run can craft them.
[[nodiscard]] std::vector<BranchWork> branch_work(const GitDirs& dirs, std::size_t most_commits);

// The same with all the commits that an apply would bring to a branch, those that an earlier one
// saved below refs/shadow among them: 5000 of a ref, which is the most that it takes, and 20 000
// together.
[[nodiscard]] std::vector<BranchWork> whole_branch_work(const GitDirs& dirs);

}  // namespace shadow
