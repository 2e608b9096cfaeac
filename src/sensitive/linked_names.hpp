// SPDX-License-Identifier: MIT
// What the project's own links make sensitive: `.envrc`, say, that is a link to `tools/env`. Looked
// for at the top of the project and in the directories there that the list names.

#pragma once

#include "sensitive/git_named.hpp"
#include "sensitive/link_walk.hpp"

#include <string>
#include <vector>

namespace shadow {

// The ends of the links of sensitive names, and the links on the way there. `lower` is the
// project's descriptor, `root` its path.
[[nodiscard]] std::vector<NamedPath> paths_linked_by_names(int lower, const std::string& root,
                                                           const LookAt& look);

}  // namespace shadow
