// SPDX-License-Identifier: MIT
// What many pairs of commits of the real repository differ in, asked for at once.

#pragma once

#include "git/objects/tree_entry.hpp"
#include "git/repository/git_dirs.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace shadow::git {

// For each pair its differences at the wanted paths; none of two that cannot be compared. In one
// child for all: a child for each would take longer than what it does.
[[nodiscard]] std::vector<std::vector<TreeDifference>> compare_pairs(
    const GitDirs& dirs, const std::vector<std::pair<std::string, std::string>>& pairs,
    const std::function<bool(const std::string& path)>& wanted);

}  // namespace shadow::git
