// SPDX-License-Identifier: MIT
// The ledger: after each run, which paths it touched, and what the real file was for each path that
// the session touched for the first time.

#pragma once

#include "shadow/session.hpp"

#include "session/directory/session_dir.hpp"
#include "store/database/database.hpp"
#include "store/tables/runs.hpp"

#include <string>

namespace shadow::bases {

// Records the changes of every ended run of the session that has none recorded yet, and the bases
// of paths seen for the first time, also of those that runs have made which go on. `project` is the
// real root's path; nothing is done where another directory is than the session began with. Only
// the upper is walked.
//
// A path belongs to a run when its upper entry changed between the run's start and end (ctime), or
// is new since the last look. Two runs at the same time may both be given what either did.
//
// A base is certain when the real file's ctime is not later than the session's base time: then it
// is what the session could have read first. Otherwise the user changed it in between, and no guess
// is recorded as a base.
void settle_runs(const StateDir& state, const session::SessionDir& session,
                 const std::string& project, store::Database& db);

}  // namespace shadow::bases
