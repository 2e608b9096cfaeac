// SPDX-License-Identifier: MIT
#include "store/tables/sessions.hpp"

namespace shadow::store {
namespace {

constexpr std::string_view kSelectSession =
    "SELECT id, project, agent, root_identity, created_ns, used_ns, base_time_ns, "
    "note FROM sessions ";

Statement select_sessions(Database& db, std::string_view rest) {
  return db.prepare(std::string{kSelectSession} + std::string{rest});
}

SessionRow read_session(const Statement& at) {
  SessionRow row;
  row.id = at.text(0);
  row.project = at.text(1);
  row.agent = at.text(2);
  row.root_identity = at.text(3);
  row.created_ns = at.integer(4);
  row.used_ns = at.integer(5);
  row.base_time_ns = at.integer(6);
  row.note = at.text(7);
  return row;
}

std::vector<SessionRow> read_sessions(Statement statement) {
  return collect(statement, read_session);
}

}  // namespace

bool add_session(Database& db, const SessionRow& row) {
  Statement add = db.prepare(
      "INSERT INTO sessions (id, project, agent, root_identity, created_ns, used_ns, "
      "base_time_ns, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (id) DO NOTHING RETURNING 1");
  add.bind(row.id)
      .bind_blob(row.project)
      .bind_blob(row.agent)
      .bind(row.root_identity)
      .bind(row.created_ns)
      .bind(row.used_ns)
      .bind(row.base_time_ns)
      .bind(row.note);
  bool added = false;
  // To the end: the insert is committed when the statement has returned its last row.
  while (add.step()) {
    added = true;
  }
  return added;
}

std::optional<SessionRow> find_session(Database& db, const std::string& id) {
  Statement find = select_sessions(db, "WHERE id = ?");
  find.bind(id);
  if (!find.step()) {
    return std::nullopt;
  }
  return read_session(find);
}

std::vector<SessionRow> sessions_of_project(Database& db, const std::string& project) {
  Statement find = select_sessions(db, "WHERE project = ? ORDER BY agent");
  find.bind_blob(project);
  return read_sessions(std::move(find));
}

std::vector<SessionRow> all_sessions(Database& db) {
  return read_sessions(select_sessions(db, "ORDER BY used_ns DESC, id"));
}

void set_note(Database& db, const std::string& id, const std::string& note) {
  db.prepare("UPDATE sessions SET note = ? WHERE id = ?").bind(note).bind(id).run();
}

void set_base_time(Database& db, const std::string& id, std::int64_t base_time_ns) {
  db.prepare("UPDATE sessions SET base_time_ns = ? WHERE id = ?").bind(base_time_ns).bind(id).run();
}

LastRuns last_runs(Database& db, const std::string& id) {
  Statement find = db.prepare("SELECT anew_ns, last_end_ns FROM sessions WHERE id = ?");
  find.bind(id);
  return find.step() ? LastRuns{find.integer(0), find.integer(1)} : LastRuns{};
}

void set_last_runs(Database& db, const std::string& id, const LastRuns& runs) {
  db.prepare("UPDATE sessions SET anew_ns = ?, last_end_ns = ? WHERE id = ?")
      .bind(runs.anew_ns)
      .bind(runs.end_ns)
      .bind(id)
      .run();
}

void touch_session(Database& db, const std::string& id, std::int64_t used_ns) {
  db.prepare("UPDATE sessions SET used_ns = max(used_ns, ?) WHERE id = ?")
      .bind(used_ns)
      .bind(id)
      .run();
}

void delete_session(Database& db, const std::string& id) {
  db.prepare("DELETE FROM sessions WHERE id = ?").bind(id).run();
}

}  // namespace shadow::store
