// SPDX-License-Identifier: MIT
// The start of a run, noted in a small file before it is in the database. Opening SQLite costs more
// than everything else a run does besides its namespaces, so the path from the caller to the
// command and back leaves it out; the process that finishes a run in the background, and every
// command that reads the log, carry the notes over.

#pragma once

#include "session/session_dir.hpp"
#include "store/runs.hpp"

namespace shadow {

// Writes the note of a run that starts: session, argv, cwd, policy, started_ns, supervisor.
void note_run(const SessionDir& session, const store::RunRow& row);

// Puts every noted run of the session into the database that is not there yet, and removes the
// notes of those whose supervisor is gone (their end is then unknown: see end_abandoned_runs).
void import_runs(const SessionDir& session, store::Database& db);

// Puts this run, whose end is known, into the database and removes its note.
void import_ended_run(const SessionDir& session, store::Database& db, store::RunRow row);

}  // namespace shadow
