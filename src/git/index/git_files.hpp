// SPDX-License-Identifier: MIT
// The user's own git set-up: the index's paths and the global file of ignore rules.

#pragma once

#include <string>
#include <vector>

namespace shadow::git {

// The paths of a git index file (versions 2 to 4, split or not), sorted; empty when there is none
// or it cannot be read. Paths that a split index has lately dropped may still be among them.
[[nodiscard]] std::vector<std::string> tracked_paths(const std::string& index_file);

// The symlinks in the index at this path, sorted; of a split one also those that it has dropped.
// Empty where there is no index.
[[nodiscard]] std::vector<std::string> links_in_index(const std::string& path);

// The text of the user's own core.excludesFile (default ~/.config/git/ignore); empty if none.
[[nodiscard]] std::string user_excludes(const std::string& home);

}  // namespace shadow::git
