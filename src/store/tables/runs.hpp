// SPDX-License-Identifier: MIT
// Rows of the tables `runs`, `run_changes` and `upper_seen`.

#pragma once

#include "shadow/records.hpp"

#include "store/database/database.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shadow::store {

struct RunRow : RunRecord {
  std::int64_t supervisor = 0;
  std::int64_t supervisor_start = 0;
};

// The state of a run changes by session/directory/run_lifecycle alone.

// Inserts unless the same run (session, started_ns, supervisor) is there; returns its id.
std::int64_t add_run(Database& db, const RunRow& row);
// Writes ended_ns, exit_code, signal, ending and the limits that were hit of row.id.
void end_run(Database& db, const RunRow& row);
[[nodiscard]] std::optional<RunRow> find_run(Database& db, std::int64_t id);
// Newest first; `most` 0 is all.
[[nodiscard]] std::vector<RunRow> runs_of_session(Database& db, const std::string& session,
                                                  std::int64_t most);
// The runs whose policy let them write to real paths, newest first.
[[nodiscard]] std::vector<RunRow> runs_outside_review(Database& db, const std::string& session);
// Runs that touched the path or something below it, newest first.
[[nodiscard]] std::vector<RunRow> runs_touching(Database& db, const std::string& session,
                                                const std::string& path);
// Ended runs whose changes have not been recorded.
[[nodiscard]] std::vector<RunRow> unsettled_runs(Database& db, const std::string& session);
[[nodiscard]] std::vector<RunRow> unended_runs(Database& db, const std::string& session);
// The id of the session's run that was added last, 0 without one.
[[nodiscard]] std::int64_t last_run(Database& db, const std::string& session);
[[nodiscard]] std::vector<RunChange> changes_of_run(Database& db, std::int64_t run);
[[nodiscard]] std::int64_t count_changes_of_run(Database& db, std::int64_t run);
void add_run_changes(Database& db, std::int64_t run, const std::vector<RunChange>& changes);
void settle_run(Database& db, std::int64_t run);
[[nodiscard]] std::int64_t count_runs_before(Database& db, std::int64_t ended_ns);
void delete_runs_before(Database& db, std::int64_t ended_ns);

struct SeenEntry {
  int kind = 0;  // overlay::UpperKind, or less than 0: see bases/ledger/unrecorded
  std::uint64_t ino = 0;
  std::int64_t ctime_ns = 0;
  bool operator==(const SeenEntry&) const = default;
};
using SeenEntries = std::map<std::string, SeenEntry, std::less<>>;
[[nodiscard]] SeenEntries seen_entries(Database& db, const std::string& session);
[[nodiscard]] std::optional<SeenEntry> find_seen(Database& db, const std::string& session,
                                                 const std::string& path);

// Since when the session's entry hides the project's; see migration 4.
struct Hidden {
  std::int64_t since_ns = 0;
  std::int64_t began_ns = 0;
};
// nullopt: the path was not seen yet.
[[nodiscard]] std::optional<Hidden> hidden_since(Database& db, const std::string& session,
                                                 const std::string& path);
// `first` holds for a path that was not seen yet, and is not kept of any other.
void put_seen(Database& db, const std::string& session, const std::string& path,
              const SeenEntry& entry, const Hidden& first = {});
void forget_seen(Database& db, const std::string& session, const std::string& path);

}  // namespace shadow::store
