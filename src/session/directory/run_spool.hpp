// SPDX-License-Identifier: MIT
// A run, noted in a small file before it is in the database. Opening SQLite costs more than
// everything else a run does besides its namespaces, so the path from the caller to the command and
// back leaves it out; the process that finishes runs in the background, and every command that
// reads the log, carry the notes over.

#pragma once

#include "session/directory/session_dir.hpp"
#include "store/tables/runs.hpp"
#include "sys/files/fd.hpp"

#include <optional>
#include <string>

namespace shadow::session {

// The note of one run, written by its supervisor.
class RunNote {
 public:
  RunNote() = default;
  // Notes the start: session, argv, cwd, policy, started_ns, supervisor.
  RunNote(const SessionDir& session, const store::RunRow& row);
  // Notes the end: ended_ns, exit_code or signal, ending.
  void end(const store::RunRow& row) const;

 private:
  sys::Fd file_;
};

// Reads a note; nullopt if its writer was killed while writing it.
[[nodiscard]] std::optional<store::RunRow> parse_note(const std::string& session,
                                                      const std::string& note);

// Puts every noted run of the session into the database, and removes the notes of those that ended
// or whose supervisor is gone (their end is then unknown: see end_abandoned_runs).
void import_runs(const SessionDir& session, store::Database& db);

// True if there is a note of a run that is not in the database, or not with its end.
[[nodiscard]] bool has_noted_runs(const SessionDir& session);

// True if there is a note of a run that has ended.
[[nodiscard]] bool has_ended_run(const SessionDir& session);

// The time of the last run's start, 0 when none waits to be imported.
[[nodiscard]] std::int64_t last_noted_ns(const SessionDir& session);

}  // namespace shadow::session
