// SPDX-License-Identifier: MIT
// Whose the files of a git directory are: root that applies in a repository of somebody else must
// leave one in which its owner can still commit. So what is made there has the owner and group of
// what it replaces, or else of the directory that holds it. An ordinary user's files are its own.

#pragma once

#include <string>
#include <string_view>

#include <sys/types.h>

namespace shadow::promote {

// True for a `.git` and for what it holds, at any depth.
[[nodiscard]] bool is_of_git_dir(std::string_view path);

// Gives `made` the owner and group of `like`, if root asks and has the right to. Throws SysError.
void own_as(int like, int made);

// Gives a new file, open as `made`, the owner of the one that it is to replace in `dir`, or else of
// `dir`. Throws SysError.
void own_as_replaced(int dir, const std::string& name, int made);

// As sys::make_dirs. Throws SysError.
void make_git_dirs(int git_dir, std::string_view path, mode_t mode);

}  // namespace shadow::promote
