// SPDX-License-Identifier: MIT
// Which paths are those of git directories. One that was there before is never written by an apply
// of files; of one that the session made comes what sensitive/repositories/new_git_dir says. Not by
// libgit2, whose discovery opens what it finds as a repository, and goes on above the project.

#pragma once

#include "session/project/real_git_dir.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::session {

// The part of a path up to and with its first `.git` component, or one that some filesystem takes
// for that (".GIT", "git~1"); nullopt when it has none.
[[nodiscard]] std::optional<std::string> git_dir_of(std::string_view path);

// True if git takes the directory itself for a repository (setup.c, is_git_directory).
[[nodiscard]] bool is_bare_git_dir(const std::string& directory);

// The git directories that lie in the project under another name than `.git` ("bare" beside its
// work trees, say), relative to it.
[[nodiscard]] std::vector<std::string> git_dirs_inside(const std::string& root);

}  // namespace shadow::session
