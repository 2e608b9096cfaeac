// SPDX-License-Identifier: MIT
// The paths that a program names, as the rooms below select by them.

#pragma once

#include "shadow/session.hpp"
#include "shadow/workspace_types.hpp"

#include "session/selection/selection.hpp"

#include <string>
#include <vector>

namespace shadow {

// The paths as arguments of the command line.
[[nodiscard]] std::vector<std::string> arguments_of(const workspace::Paths& paths);

// Each as one path relative to the project's root.
[[nodiscard]] std::vector<std::string> project_paths_of(const workspace::Paths& paths,
                                                        const Project& project);

[[nodiscard]] session::Selection selection_of(const workspace::Paths& paths,
                                              const Project& project);

}  // namespace shadow
