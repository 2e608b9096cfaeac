// SPDX-License-Identifier: MIT
// What a session does with `.git`. A git directory that was there before is never written by an
// apply of files; one that the session made (git init, git clone) comes along, less what git would
// run or obey.

#pragma once

#include "shadow/change.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace shadow {

// The part of a path up to and with its first `.git` component; nullopt when it has none.
[[nodiscard]] std::optional<std::string> git_dir_of(std::string_view path);

// Whether a change inside a git directory that is wholly new may be promoted: what git itself needs
// to know the repository (HEAD, refs, objects, index, logs, config), files and directories only.
[[nodiscard]] bool belongs_to_new_git_dir(const Change& change);

// Whether a path is what git writes by itself as commits are made (refs, objects, logs, the index)
// in the project's own git directory: told as commits, not as files.
[[nodiscard]] bool is_git_bookkeeping(std::string_view path);

// The config that replaces the one of a new git directory: what `git init` writes. `original` is
// asked only for the object format, without which the repository could not be read.
[[nodiscard]] std::string reduced_git_config(std::string_view original);

// The project's own git directory: `.git`, or where a `.git` file (a linked work tree) points.
// Absolute; nullopt when there is none. Only the real tree is read.
struct RealGitDir {
  std::string dir;     // HEAD, index
  std::string common;  // config, info, refs, objects
};
[[nodiscard]] std::optional<RealGitDir> real_git_dir(const std::string& root);

}  // namespace shadow
