// SPDX-License-Identifier: MIT
// All sessions of a state directory.

#pragma once

#include "shadow/session.hpp"

#include "store/tables/sessions.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace shadow::status {

// The numbers are those of the last look at the session (upkeep/tally.hpp), unknown until one.
struct ListedSession {
  store::SessionRow row;
  std::optional<std::uint64_t> changed;     // paths an apply could take; unknown without a project
  std::optional<std::uint64_t> bytes;       // in the project's layer
  std::optional<std::uint64_t> home_bytes;  // in the home layer
  std::int64_t counted_ns = 0;              // when that look was; 0: never
  bool outdated = false;                    // the session may have changed since
  bool live = false;
  bool project_missing = false;
  bool project_replaced = false;  // by another directory at its path
};

// Newest use first. Opens no directory of a session's files: what others have in theirs, a list of
// one's own does not wait for.
[[nodiscard]] std::vector<ListedSession> list_sessions(const StateDir& state, store::Database& db);

// The same, after having what is outdated counted in the background: waits for that so long at
// most, all sessions together. A live one goes on changing, and is waited for only where nothing is
// known of it.
[[nodiscard]] std::vector<ListedSession> list_counted(const StateDir& state, store::Database& db,
                                                      std::chrono::milliseconds patience);

}  // namespace shadow::status
