// SPDX-License-Identifier: MIT
#include "store/tables/runs.hpp"

#include "base/text.hpp"
#include "store/tables/run_words.hpp"

namespace shadow::store {
namespace {

constexpr std::string_view kSelectRun =
    "SELECT id, session, argv, cwd, policy, started_ns, ended_ns, exit_code, signal, ending, "
    "supervisor, supervisor_start, settled, memory_kills, forks_refused, limits_note, denied FROM "
    "runs ";

Statement select_runs(Database& db, std::string_view condition) {
  return db.prepare(std::string{kSelectRun} + std::string{condition});
}

RunRow read_run(const Statement& at) {
  RunRow row;
  row.id = at.integer(0);
  row.session = at.text(1);
  row.argv = split(at.text(2), '\0');
  row.cwd = at.text(3);
  row.policy = at.text(4);
  row.started_ns = at.integer(5);
  row.ended_ns = at.maybe_integer(6);
  row.exit_code = at.maybe_integer(7);
  row.signal = at.maybe_integer(8);
  row.ending = run_ending_of(at.text(9));
  row.supervisor = at.integer(10);
  row.supervisor_start = at.integer(11);
  row.state = at.integer(12) != 0 ? RunState::Settled
              : row.ended_ns      ? RunState::Ended
                                  : RunState::Running;
  row.memory_kills = at.integer(13);
  row.forks_refused = at.integer(14);
  row.limits_note = at.text(15);
  row.denied = at.text(16);
  return row;
}

std::vector<RunRow> read_runs(Statement statement) {
  return collect(statement, read_run);
}

}  // namespace

std::int64_t add_run(Database& db, const RunRow& row) {
  Statement add = db.prepare(
      "INSERT INTO runs (id, session, argv, cwd, policy, started_ns, ended_ns, exit_code, signal, "
      "ending, supervisor, supervisor_start, settled, limits_note) "
      "VALUES ((SELECT last + 1 FROM run_numbers), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
      // No change, but a row for RETURNING.
      "ON CONFLICT (session, started_ns, supervisor) DO UPDATE SET session = session "
      "RETURNING id");
  add.bind(row.session)
      .bind_blob(join(row.argv, std::string_view{"\0", 1}))
      .bind_blob(row.cwd)
      .bind(row.policy)
      .bind(row.started_ns)
      .bind(row.ended_ns)
      .bind(row.exit_code)
      .bind(row.signal)
      .bind(std::string{name_of(row.ending)})
      .bind(row.supervisor)
      .bind(row.supervisor_start)
      .bind(std::int64_t{row.state == RunState::Settled})
      .bind(row.limits_note);
  add.step();
  return add.integer(0);
}

void end_run(Database& db, const RunRow& row) {
  db.prepare(
        "UPDATE runs SET ended_ns = ?, exit_code = ?, signal = ?, ending = ?, memory_kills = ?, "
        "forks_refused = ?, denied = ? WHERE id = ?")
      .bind(row.ended_ns)
      .bind(row.exit_code)
      .bind(row.signal)
      .bind(std::string{name_of(row.ending)})
      .bind(row.memory_kills)
      .bind(row.forks_refused)
      .bind(row.denied)
      .bind(row.id)
      .run();
}

std::optional<RunRow> find_run(Database& db, std::int64_t id) {
  Statement find = select_runs(db, "WHERE id = ?");
  find.bind(id);
  if (!find.step()) {
    return std::nullopt;
  }
  return read_run(find);
}

std::vector<RunRow> runs_of_session(Database& db, const std::string& session, std::int64_t most) {
  Statement find = select_runs(db, "WHERE session = ? ORDER BY id DESC LIMIT ?");
  find.bind(session).bind(most == 0 ? -1 : most);  // a negative limit is none
  return read_runs(std::move(find));
}

std::vector<RunRow> runs_outside_review(Database& db, const std::string& session) {
  // In JSON a quote inside of a string has a backslash before it: this is the key and nothing else.
  Statement find = select_runs(db,
                               "INDEXED BY runs_outside_review WHERE session = ? AND "
                               "instr(policy, '\"rw\":') ORDER BY id DESC");
  find.bind(session);
  return read_runs(std::move(find));
}

std::vector<RunRow> runs_touching(Database& db, const std::string& session,
                                  const std::string& path) {
  if (path.empty()) {
    Statement find = select_runs(
        db, "WHERE session = ? AND id IN (SELECT run FROM run_changes) ORDER BY id DESC");
    find.bind(session);
    return read_runs(std::move(find));
  }
  // '0' is the byte after '/': all that begins with "path/".
  Statement find =
      select_runs(db,
                  "WHERE session = ? AND EXISTS (SELECT 1 FROM run_changes WHERE run = runs.id AND "
                  "(path = ? OR (path > ? AND path < ?))) ORDER BY id DESC");
  find.bind(session).bind_blob(path).bind_blob(path + '/').bind_blob(path + '0');
  return read_runs(std::move(find));
}

std::vector<RunRow> unsettled_runs(Database& db, const std::string& session) {
  Statement find =
      select_runs(db,
                  "INDEXED BY runs_unsettled WHERE session = ? AND ended_ns IS NOT NULL AND "
                  "settled = 0 ORDER BY id");
  find.bind(session);
  return read_runs(std::move(find));
}

std::vector<RunRow> unended_runs(Database& db, const std::string& session) {
  Statement find =
      select_runs(db, "INDEXED BY runs_unended WHERE session = ? AND ended_ns IS NULL ORDER BY id");
  find.bind(session);
  return read_runs(std::move(find));
}

std::int64_t last_run(Database& db, const std::string& session) {
  Statement find = db.prepare("SELECT max(id) FROM runs WHERE session = ?");
  find.bind(session);
  return find.step() ? find.integer(0) : 0;
}

std::vector<RunChange> changes_of_run(Database& db, std::int64_t run) {
  Statement find = db.prepare(
      "SELECT path, what, among_first, among_last FROM run_changes WHERE run = ? ORDER BY path");
  find.bind(run);
  std::vector<RunChange> changes;
  while (find.step()) {
    RunChange change{find.text(0), run_effect_of(find.text(1))};
    if (const auto first = find.maybe_integer(2)) {
      change.among = {*first, find.integer(3)};
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

std::int64_t count_changes_of_run(Database& db, std::int64_t run) {
  Statement count = db.prepare("SELECT count(*) FROM run_changes WHERE run = ?");
  count.bind(run);
  return count.step() ? count.integer(0) : 0;
}

void add_run_changes(Database& db, std::int64_t run, const std::vector<RunChange>& changes) {
  Statement add = db.prepare(
      "INSERT OR REPLACE INTO run_changes (run, path, what, among_first, among_last) "
      "VALUES (?, ?, ?, ?, ?)");
  for (const RunChange& change : changes) {
    using Number = std::optional<std::int64_t>;
    add.bind(run)
        .bind_blob(change.path)
        .bind(std::string{name_of(change.what)})
        .bind(change.among ? Number{change.among->first} : Number{})
        .bind(change.among ? Number{change.among->last} : Number{})
        .run();
  }
}

void settle_run(Database& db, std::int64_t run) {
  db.prepare("UPDATE runs SET settled = 1 WHERE id = ?").bind(run).run();
}

std::int64_t count_runs_before(Database& db, std::int64_t ended_ns) {
  Statement count = db.prepare("SELECT count(*) FROM runs WHERE ended_ns < ?");
  count.bind(ended_ns);
  return count.step() ? count.integer(0) : 0;
}

void delete_runs_before(Database& db, std::int64_t ended_ns) {
  db.prepare("DELETE FROM runs WHERE ended_ns < ?").bind(ended_ns).run();
}

SeenEntries seen_entries(Database& db, const std::string& session) {
  Statement find = db.prepare("SELECT path, kind, ino, ctime_ns FROM upper_seen WHERE session = ?");
  find.bind(session);
  SeenEntries entries;
  while (find.step()) {
    entries.insert_or_assign(
        find.text(0), SeenEntry{static_cast<int>(find.integer(1)),
                                static_cast<std::uint64_t>(find.integer(2)), find.integer(3)});
  }
  return entries;
}

std::optional<SeenEntry> find_seen(Database& db, const std::string& session,
                                   const std::string& path) {
  Statement find =
      db.prepare("SELECT kind, ino, ctime_ns FROM upper_seen WHERE session = ? AND path = ?");
  find.bind(session).bind_blob(path);
  if (!find.step()) {
    return std::nullopt;
  }
  return SeenEntry{static_cast<int>(find.integer(0)), static_cast<std::uint64_t>(find.integer(1)),
                   find.integer(2)};
}

std::optional<Hidden> hidden_since(Database& db, const std::string& session,
                                   const std::string& path) {
  Statement find =
      db.prepare("SELECT since_ns, began_ns FROM upper_seen WHERE session = ? AND path = ?");
  find.bind(session).bind_blob(path);
  return find.step() ? std::optional{Hidden{find.integer(0), find.integer(1)}} : std::nullopt;
}

void put_seen(Database& db, const std::string& session, const std::string& path,
              const SeenEntry& entry, const Hidden& first) {
  db.prepare(
        "INSERT INTO upper_seen (session, path, kind, ino, ctime_ns, since_ns, began_ns) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session, path) "
        "DO UPDATE SET kind = excluded.kind, ino = excluded.ino, ctime_ns = excluded.ctime_ns")
      .bind(session)
      .bind_blob(path)
      .bind(std::int64_t{entry.kind})
      .bind(static_cast<std::int64_t>(entry.ino))
      .bind(entry.ctime_ns)
      .bind(first.since_ns)
      .bind(first.began_ns)
      .run();
}

void forget_seen(Database& db, const std::string& session, const std::string& path) {
  db.prepare("DELETE FROM upper_seen WHERE session = ? AND path = ?")
      .bind(session)
      .bind_blob(path)
      .run();
}

}  // namespace shadow::store
