// SPDX-License-Identifier: MIT
// Walks that leave the project and may come back to it: over a directory beside it, a link of the
// home, another name of its own path.

#pragma once

#include "sensitive/walk/link_walk.hpp"

#include <string>

namespace shadow::sensitive {

// As walk_link() does, but a walk that leaves the tree goes on through the machine's own links, as
// they are; where it comes to `root`, it goes on in the tree. `outside` is the place at which it
// left for good. For links and texts of the user's own, what lies outside being his.
[[nodiscard]] LinkWalk walk_link_back(const std::string& start, const std::string& target,
                                      const std::string& root, const LookAt& look);

}  // namespace shadow::sensitive
