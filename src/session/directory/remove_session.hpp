// SPDX-License-Identifier: MIT
// The end of a session: all that belongs to it goes, and its applies stay undoable.

#pragma once

#include "shadow/session.hpp"

#include "session/directory/idle.hpp"
#include "store/tables/sessions.hpp"

namespace shadow::session {

// Removes the session: its directory is renamed away first, so that it is gone at once and as a
// whole, and deleted by a process in the background. Applies stay undoable. Throws Error (Refused)
// when it is live.
void discard_session(const StateDir& state, store::Database& db, const store::SessionRow& row,
                     LiveRuns live);

// The same with the session's locks (idle.hpp) held.
void remove_idle_session(const StateDir& state, store::Database& db, const store::SessionRow& row,
                         const SessionDir& dir);

// Its directory alone, which needs neither the database nor room on the disk.
void discard_files(const StateDir& state, const SessionRecord& session, LiveRuns live);

// Deletes what lies in the state's trash, of this session or of all. Throws SysError.
void empty_trash(const StateDir& state, const std::string& id = {});

// The same of all, in a process in the background.
void empty_trash_in_background(const StateDir& state);

}  // namespace shadow::session
