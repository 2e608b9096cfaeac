// SPDX-License-Identifier: MIT
// Which directories have sessions, answered by a look at names: the hot path asks it before the
// database is open. `projects/HASH` exists for each project that ever had a session and has one.

#pragma once

#include "shadow/session.hpp"

#include <optional>
#include <string>

namespace shadow::session {

// The nearest directory at or above `from` that has a session.
[[nodiscard]] std::optional<std::string> enclosing_known_project(const StateDir& state,
                                                                 const std::string& from);

// To be called when a session is made, and when a project's last one is gone.
void remember_project(const StateDir& state, const std::string& root);
void forget_project(const StateDir& state, const std::string& root);

}  // namespace shadow::session
