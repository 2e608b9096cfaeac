// SPDX-License-Identifier: MIT
// Rows of the table `sessions`.

#pragma once

#include "shadow/records.hpp"

#include "store/database/database.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::store {

struct SessionRow : SessionRecord {
  std::string root_identity;
  std::int64_t base_time_ns = 0;
};

// Inserts unless the id exists. Returns whether it did.
bool add_session(Database& db, const SessionRow& row);
[[nodiscard]] std::optional<SessionRow> find_session(Database& db, const std::string& id);
// By agent.
[[nodiscard]] std::vector<SessionRow> sessions_of_project(Database& db, const std::string& project);
[[nodiscard]] std::vector<SessionRow> all_sessions(Database& db);  // newest use first
void set_note(Database& db, const std::string& id, const std::string& note);
void set_base_time(Database& db, const std::string& id, std::int64_t base_time_ns);

// When the session was last without anything of its own, by its recorded runs; see migration 9.
struct LastRuns {
  std::int64_t anew_ns = 0;
  std::int64_t end_ns = 0;
  bool operator==(const LastRuns&) const = default;
};
[[nodiscard]] LastRuns last_runs(Database& db, const std::string& id);
void set_last_runs(Database& db, const std::string& id, const LastRuns& runs);

void touch_session(Database& db, const std::string& id, std::int64_t used_ns);
void delete_session(Database& db, const std::string& id);

}  // namespace shadow::store
