// SPDX-License-Identifier: MIT
// What an undo gives back to a session that is live just then: its layer may not be touched beneath
// the mount, so it waits beside it, in the form of a layer, for the session to be idle.

#pragma once

#include "session/directory/session_dir.hpp"
#include "store/database/database.hpp"
#include "sys/files/fd.hpp"

namespace shadow::bases {

// Whether something waits: one look for a directory, for the start of every run.
[[nodiscard]] bool has_parked(const session::SessionDir& session);

// Where it waits. What nobody waits for any more, of an undo that was not done, is removed. Needs
// the session's lock.
[[nodiscard]] sys::Fd parking_place(const session::SessionDir& session, store::Database& db);

// Puts it into the layer, but for paths at which the session has written meanwhile. Needs the locks
// of a session that is idle.
void give_back_parked(const session::SessionDir& session, int lower, store::Database& db);

}  // namespace shadow::bases
