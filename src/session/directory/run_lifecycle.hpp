// SPDX-License-Identifier: MIT
// The states of a run on record, and what leads from one to the next.
//
//   Running --end, noted by its supervisor--> Ended --changes recorded--> Settled
//      `------end, its supervisor is gone-------^
//
// A run is live if it is Running and its supervisor lives.

#pragma once

#include "store/database/database.hpp"
#include "store/tables/runs.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::session {

[[nodiscard]] bool supervisor_lives(const store::RunRow& run);
[[nodiscard]] bool is_live(const store::RunRow& run);

// It ends now; the caller adds how.
void mark_ended(store::RunRow& run, std::int64_t now_ns);

// Puts a run as it was noted into the database, Running or Ended.
void record_run(store::Database& db, store::RunRow& run);

// Ends the runs on record whose supervisor is gone: nobody else will, and how they ended is lost.
void end_abandoned_runs(store::Database& db, const std::string& session);

// What these ended runs changed is recorded. Part of a transaction of the caller's.
void mark_settled(store::Database& db, const std::vector<store::RunRow>& runs);

}  // namespace shadow::session
