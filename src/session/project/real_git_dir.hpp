// SPDX-License-Identifier: MIT
// Where the git directory of a work tree is. Read here, not by libgit2: a run asks for it too, and
// its program does without that. Of a linked work tree or a submodule it lies outside of the
// project.

#pragma once

#include <optional>
#include <string>

namespace shadow::session {

// The project's own git directory: `.git`, or where a `.git` file (a linked work tree) points.
// Absolute; nullopt when there is none. Only the real tree is read.
struct RealGitDir {
  std::string dir;     // HEAD, index
  std::string common;  // config, info, refs, objects
};
[[nodiscard]] std::optional<RealGitDir> real_git_dir(const std::string& root);

// The git directory at a path, with the one that its `commondir` names.
[[nodiscard]] RealGitDir with_common_dir(const std::string& dir);

// As real_git_dir(), also where `.git` is a link, which git follows (setup.c,
// setup_git_directory_gently).
[[nodiscard]] std::optional<RealGitDir> obeyed_git_dir(const std::string& top);

// The canonical path of the directory that holds the refs and objects of the real project, when its
// `.git` is a file that leads outside of it (gitrepository-layout(5): gitdir:, commondir). nullopt
// for an ordinary `.git`, none, or one that leads nowhere. Reads these two files only.
[[nodiscard]] std::optional<std::string> outside_git_dir(const std::string& project);

}  // namespace shadow::session
