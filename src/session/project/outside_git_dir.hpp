// SPDX-License-Identifier: MIT
// The git directory of a linked work tree or a submodule lies outside of the project.

#pragma once

#include <optional>
#include <string>

namespace shadow::session {

// The canonical path of the directory that holds the refs and objects of the real project, when its
// `.git` is a file that leads outside of it (gitrepository-layout(5): gitdir:, commondir). nullopt
// for an ordinary `.git`, none, or one that leads nowhere. Reads these two files only.
[[nodiscard]] std::optional<std::string> outside_git_dir(const std::string& project);

}  // namespace shadow::session
