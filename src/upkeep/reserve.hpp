// SPDX-License-Identifier: MIT
// Room for those who make room: a run that fills the filesystem of the state would else keep the
// user from dropping what it wrote, since that needs locks and writes the database.

#pragma once

#include "shadow/session.hpp"

namespace shadow::upkeep {

// Sets some space and some inodes aside in the state directory, where plenty of both is left. Not
// being able to is no failure.
void keep_reserve(const StateDir& state) noexcept;

// True if next to nothing is left, whatever was given back. Costs one statvfs(2).
[[nodiscard]] bool is_full(const StateDir& state) noexcept;

// Gives both back where next to nothing else is left. Costs one statvfs(2).
void use_reserve_if_full(const StateDir& state) noexcept;

}  // namespace shadow::upkeep
