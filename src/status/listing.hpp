// SPDX-License-Identifier: MIT
// All sessions of a state directory.

#pragma once

#include "shadow/records.hpp"
#include "shadow/session.hpp"

#include "store/database/database.hpp"

#include <chrono>
#include <vector>

namespace shadow::status {

// Newest use first. Opens no directory of a session's files: what others have in theirs, a list of
// one's own does not wait for.
[[nodiscard]] std::vector<ListedSession> list_sessions(const StateDir& state, store::Database& db);

// The same, after having what is outdated counted in the background: waits for that so long at
// most, all sessions together. A live one goes on changing, and is waited for only where nothing is
// known of it.
[[nodiscard]] std::vector<ListedSession> list_counted(const StateDir& state, store::Database& db,
                                                      std::chrono::milliseconds patience);

}  // namespace shadow::status
