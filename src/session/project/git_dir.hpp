// SPDX-License-Identifier: MIT
// Which paths are those of git directories. One that was there before is never written by an apply
// of files; of one that the session made comes what sensitive/repositories/new_git_dir says.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::session {

// The part of a path up to and with its first `.git` component, or one that some filesystem takes
// for that (".GIT", "git~1"); nullopt when it has none.
[[nodiscard]] std::optional<std::string> git_dir_of(std::string_view path);

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

// True if git takes the directory itself for a repository (setup.c, is_git_directory).
[[nodiscard]] bool is_bare_git_dir(const std::string& directory);

// The git directories that lie in the project under another name than `.git` ("bare" beside its
// work trees, say), relative to it.
[[nodiscard]] std::vector<std::string> git_dirs_inside(const std::string& root);

}  // namespace shadow::session
