// SPDX-License-Identifier: MIT
// Covering paths with something empty.

#pragma once

#include <string>
#include <vector>

namespace shadow::sandbox {

// Covers each existing path (relative to `directory`, or absolute with directory "/") : a directory
// with an empty read-only one, anything else, a symlink too, with /dev/null. What does not exist,
// or is reached through a symlink, is left: the link's target is a path of its own.
void mask_paths(const std::string& directory, const std::vector<std::string>& paths);

}  // namespace shadow::sandbox
