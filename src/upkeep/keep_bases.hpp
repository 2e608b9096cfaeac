// SPDX-License-Identifier: MIT
// Stores what a session needs before its project changes: its base tree and the texts of its bases.

#pragma once

#include "shadow/session.hpp"

#include <cstdint>
#include <string>

namespace shadow::upkeep {

// Renewed: a refresh has just renewed the session's base time.
enum class Bases : std::uint8_t { Kept, Renewed };

// Takes the session's base tree when it has none, and keeps the texts of files that are bases and
// whose text is not kept. After another process that is at it; nothing when the session is gone.
void keep_bases(const StateDir& state, const std::string& session, Bases how);

}  // namespace shadow::upkeep
