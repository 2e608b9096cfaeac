// SPDX-License-Identifier: MIT
// Sessions whose project was removed and made anew: what they began with is another directory. And
// the end of those that hold nothing.

#pragma once

#include "shadow/session.hpp"

#include "session/directory/session_dir.hpp"
#include "store/tables/sessions.hpp"

#include <string>

namespace shadow::upkeep {

// True if the session began with another directory than the one at this path now; false if none can
// be opened.
[[nodiscard]] bool is_replaced(const session::SessionDir& session, const std::string& project);

// What the user can do about a session whose project was replaced: nothing of it is out of reach.
[[nodiscard]] std::string advice_on_replaced(const session::SessionDir& session);

// True if nothing would be lost with the session: no change in the project or its git directory, no
// file in the home or the temporary directories. Examines only the layers; a copied-up file counts
// as a change even if it equals the project's. The session's `lock` must be held and nothing live
// in it.
[[nodiscard]] bool holds_nothing(const session::SessionDir& session);

// Removes a replaced session that holds nothing, so that the next run begins a new one; false where
// it holds something, is live, or another command has its lock.
bool drop_replaced(const StateDir& state, store::Database& db, const store::SessionRow& row);

// Removes a session that holds nothing and of which the caller has the `lock`, which then is one of
// a discarded directory; false where it holds something or is live.
bool drop_empty_locked(const StateDir& state, store::Database& db,
                       const session::SessionDir& session);

}  // namespace shadow::upkeep
