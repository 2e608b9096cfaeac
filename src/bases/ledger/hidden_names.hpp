// SPDX-License-Identifier: MIT
// What the session's directories hide of the project's without ever having had it.

#pragma once

#include "overlay/write/lift.hpp"
#include "session/directory/session_dir.hpp"
#include "store/database/database.hpp"

namespace shadow::bases {

// Tells, when a directory that the session has deleted or replaced is to merge with the project's
// again, what stays hidden there: all but what the user has put there since, of which the session
// knows nothing. A deletion left in its place would pass for one of the next run's. Borrows all
// three; `lower` is the project's directory.
[[nodiscard]] overlay::StaysHidden hidden_by_session(store::Database& db,
                                                     const session::SessionDir& session, int lower);

}  // namespace shadow::bases
