// SPDX-License-Identifier: MIT
// Stores what a session needs before its project changes: its base tree and the texts of its bases.

#pragma once

#include "shadow/session.hpp"

#include <string>

namespace shadow::upkeep {

// Takes the session's base tree when it has none, and keeps the texts of files that are bases and
// whose text is not kept. After another process that is at it; nothing when the session is gone.
void keep_bases(const StateDir& state, const std::string& session);

}  // namespace shadow::upkeep
