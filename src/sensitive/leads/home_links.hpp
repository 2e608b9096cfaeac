// SPDX-License-Identifier: MIT
// Files in the project that the user's programs obey because the home leads to them: a project of
// dot files, to which the home has links.

#pragma once

#include "sensitive/leads/git_named.hpp"
#include "sensitive/walk/link_walk.hpp"

#include <string>
#include <vector>

namespace shadow::sensitive {

// Paths in the project at `root` to which links of the home lead: those at its top that begin with
// a dot, and those in the directories there that hold configurations and commands. The files that a
// shell or an editor reads when it starts are read for the paths that they name, too, and the
// directories on `path`, the caller's PATH, are looked at. A project that is itself such a
// directory is named as a whole, by the path "". `look` looks into the project.
[[nodiscard]] std::vector<NamedPath> paths_obeyed_in_home(const std::string& home,
                                                          const std::string& path,
                                                          const std::string& root,
                                                          const LookAt& look);

}  // namespace shadow::sensitive
