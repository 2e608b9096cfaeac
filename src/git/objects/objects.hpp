// SPDX-License-Identifier: MIT
// Object databases put together from directories: never a repository, and of an upper neither its
// alternates nor its configuration.

#pragma once

#include "git/repository/git_dirs.hpp"
#include "git/repository/handle.hpp"
#include "sys/files/fd.hpp"

#include <string>
#include <vector>

namespace shadow::git {

// Opening a FIFO would wait for ever, and a symlink leads elsewhere. Whether an objects directory
// is free of both; against what is put there in the next moment the time limit of the child helps.
[[nodiscard]] bool holds_only_files(int directory);

// The session's objects, if it has any; starts the library. Throws Error when something else than
// files lies there.
[[nodiscard]] sys::Fd open_upper_objects(const GitDirs& dirs);

// The objects of the real repository; empty when there is none.
[[nodiscard]] OdbHandle open_real_objects(const GitDirs& dirs);

// The real objects, and after them the upper's.
[[nodiscard]] OdbHandle open_objects(const GitDirs& dirs, const sys::Fd& upper);

// Objects in a directory of our own; written as loose ones.
[[nodiscard]] OdbHandle open_staged_objects(const std::string& staging);

// Commits of the real repository, or of one that the session made, whose parents were never
// fetched.
[[nodiscard]] std::vector<std::string> shallow_commits(const GitDirs& dirs);

}  // namespace shadow::git
