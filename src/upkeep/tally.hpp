// SPDX-License-Identifier: MIT
// Counts what a list of all sessions shows of one, so that the list walks nobody's files.

#pragma once

#include "shadow/session.hpp"

#include "session/directory/session_dir.hpp"
#include "store/database/database.hpp"
#include "store/tables/tallies.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::upkeep {

// Bytes of the files in a layer's upper; 0 when there is no such layer.
[[nodiscard]] std::uint64_t layer_bytes(const session::SessionDir& dir, const std::string& layer);

struct LastCount {
  store::Tally tally;
  // Something of the session's may not be in it: it is live, a run of it is not recorded yet, or
  // its side was changed since.
  bool outdated = false;
};

// The last count. Walks nothing.
[[nodiscard]] LastCount last_count(const session::SessionDir& session, store::Database& db);

// Counts each of these sessions that needs it and that nobody else is counting, and records it: for
// the background, since it takes as long as a review. What cannot be counted is unknown.
void count_sessions(const StateDir& state, const std::vector<std::string>& sessions);

}  // namespace shadow::upkeep
