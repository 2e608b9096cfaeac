// SPDX-License-Identifier: MIT
// The caller's current directory in a project.

#pragma once

#include "shadow/session.hpp"

#include <string>

namespace shadow::session {

// Relative to the root; "" for the root itself.
[[nodiscard]] inline std::string place_in(const Project& project) {
  return project.cwd.size() > project.root.size() ? project.cwd.substr(project.root.size() + 1)
                                                  : std::string{};
}

}  // namespace shadow::session
