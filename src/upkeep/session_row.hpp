// SPDX-License-Identifier: MIT
// A session's row in the database.

#pragma once

#include "shadow/session.hpp"

#include "session/directory/session_dir.hpp"
#include "store/database/database.hpp"
#include "store/tables/sessions.hpp"

#include <optional>
#include <string>

namespace shadow::upkeep {

// Adds the row where there is none: of a session that begins, or for a database that was lost or
// restored from elsewhere.
void ensure_session_row(store::Database& db, const session::SessionDir& session,
                        const SessionKey& key, const session::SessionFacts& facts);

// The row of that session; added where its files alone are left.
[[nodiscard]] std::optional<store::SessionRow> find_session_or_its_files(const StateDir& state,
                                                                         store::Database& db,
                                                                         const SessionKey& key);

}  // namespace shadow::upkeep
