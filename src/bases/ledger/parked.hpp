// SPDX-License-Identifier: MIT
// Changes that an undo returns to a live session: its layer must not be touched beneath the mount,
// so they wait beside it, in the form of a layer, until the session is idle.

#pragma once

#include "session/directory/session_dir.hpp"
#include "store/database/database.hpp"
#include "sys/files/fd.hpp"

namespace shadow::bases {

// True if something is parked: one look for a directory, at the start of every run.
[[nodiscard]] bool has_parked(const session::SessionDir& session);

// The parking place. Left-overs of an undo that was not done are removed. Needs the session's lock.
[[nodiscard]] sys::Fd parking_place(const session::SessionDir& session, store::Database& db);

// Puts it into the layer, but for paths at which the session has written meanwhile. Needs the locks
// of a session that is idle.
void give_back_parked(const session::SessionDir& session, int lower, store::Database& db);

}  // namespace shadow::bases
