// SPDX-License-Identifier: MIT
// Files in the project that the user's programs obey because the home leads to them: a project of
// dot files, to which the home has links.

#pragma once

#include "sensitive/leads/named_path.hpp"
#include "sensitive/walk/link_walk.hpp"

#include <string>
#include <vector>

namespace shadow::sensitive {

// What the caller's environment says of his home. Parts of it may be empty.
struct HomeSetup {
  std::string home;
  std::string path;    // PATH
  std::string config;  // XDG_CONFIG_HOME, or ~/.config
  std::string zsh;     // ZDOTDIR
};
[[nodiscard]] HomeSetup home_of_caller();

// Paths in the project at `root` to which links of the home lead: those at its top that begin with
// a dot, and those in the directories there that hold configurations and commands. The files that a
// shell, an editor or an agent reads when it starts are read for the paths that they name, too, and
// the directories on the PATH are looked at, and through for links. A project that is itself such a
// directory is named as a whole, by the path "". `look` looks into the project.
[[nodiscard]] std::vector<NamedPath> paths_obeyed_in_home(const HomeSetup& setup,
                                                          const std::string& root,
                                                          const LookAt& look);

}  // namespace shadow::sensitive
