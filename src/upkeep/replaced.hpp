// SPDX-License-Identifier: MIT
// Sessions whose project was removed and made anew: what they began with is another directory.

#pragma once

#include "shadow/session.hpp"

#include "session/directory/session_dir.hpp"
#include "store/tables/sessions.hpp"

#include <string>

namespace shadow::upkeep {

// Whether the session began with another directory than the one that is at this path now; false
// where none can be opened.
[[nodiscard]] bool is_replaced(const session::SessionDir& session, const std::string& project);

// Whether nothing would be lost with the session: no change in the project or its git directory, no
// file in the home or the temporary directories. Looks at the layers alone; that a copied-up file
// equals the project's is not found out. With the session's `lock` held and nothing live in it.
[[nodiscard]] bool holds_nothing(const session::SessionDir& session);

// Removes a replaced session that holds nothing, so that the next run begins a new one; false where
// it holds something, is live, or another command has its lock.
bool drop_replaced(const StateDir& state, store::Database& db, const store::SessionRow& row);

// The same where the caller has the session's `lock`, which then is one of a discarded directory.
bool drop_replaced_locked(const StateDir& state, store::Database& db,
                          const session::SessionDir& session);

}  // namespace shadow::upkeep
