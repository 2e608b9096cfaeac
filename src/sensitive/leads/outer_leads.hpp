// SPDX-License-Identifier: MIT
// What lies around the project: the repositories of which it is a part, and files in the
// directories above that programs obey also in it. They name paths in the project, and its own
// names count together with those of the directories above.

#pragma once

#include "sensitive/leads/git_named.hpp"
#include "sensitive/leads/led_paths.hpp"

#include <string>
#include <vector>

namespace shadow::sensitive {

// What stands before the project's paths where they are matched with the list of names: its path
// from the top of the work tree that it is a part of (".husky"). Where it is the top itself, its
// own name, if that is a hidden directory on the list; where there is no repository, its last three
// names, as many as a name on the list has. "*" then stands for whatever is above.
[[nodiscard]] std::string names_above(const std::string& root);

// The paths of the project that all this leads to. `project` has the project's own trees.
[[nodiscard]] std::vector<NamedPath> paths_led_to_from_above(const UserGit& user,
                                                             const LedTrees& project);

}  // namespace shadow::sensitive
