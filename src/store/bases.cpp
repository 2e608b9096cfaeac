// SPDX-License-Identifier: MIT
#include "store/bases.hpp"

#include "store/base_columns.hpp"

namespace shadow::store {

BaseRow read_base(const Statement& at, int first) {
  BaseRow row;
  row.source = at.text(first);
  row.certain = at.integer(first + 1) != 0;
  row.entry.kind = static_cast<EntryKind>(at.integer(first + 2));
  row.entry.mode = static_cast<std::uint32_t>(at.integer(first + 3));
  row.entry.size = static_cast<std::uint64_t>(at.integer(first + 4));
  row.entry.ino = static_cast<std::uint64_t>(at.integer(first + 5));
  row.entry.mtime_ns = at.integer(first + 6);
  row.entry.ctime_ns = at.integer(first + 7);
  row.entry.target = at.text(first + 8);
  row.hash = at.text(first + 9);
  row.stored = at.integer(first + 10) != 0;
  row.git_id = at.text(first + 11);
  return row;
}

void bind_base(Statement& statement, const BaseRow& row) {
  statement.bind(row.source)
      .bind(std::int64_t{row.certain})
      .bind(static_cast<std::int64_t>(row.entry.kind))
      .bind(std::int64_t{row.entry.mode})
      .bind(static_cast<std::int64_t>(row.entry.size))
      .bind(static_cast<std::int64_t>(row.entry.ino))
      .bind(row.entry.mtime_ns)
      .bind(row.entry.ctime_ns)
      .bind_blob(row.entry.target.str())
      .bind(row.hash)
      .bind(std::int64_t{row.stored})
      .bind(row.git_id);
}

namespace {

std::map<std::string, BaseRow> rows_of(Database& db, const std::string& session,
                                       const std::string& index = "",
                                       const std::string& condition = "") {
  Statement find = db.prepare(std::string{"SELECT path, "} + kBaseColumns + " FROM bases " + index +
                              " WHERE session = ? " + condition);
  find.bind(session);
  std::map<std::string, BaseRow> rows;
  while (find.step()) {
    rows.insert_or_assign(find.text(0), read_base(find, 1));
  }
  return rows;
}

// The conditions below are those of the schema's partial indexes word for word, or SQLite refuses.
static_assert(static_cast<int>(EntryKind::File) == 1);

}  // namespace

std::optional<BaseRow> find_base(Database& db, const std::string& session,
                                 const std::string& path) {
  Statement find = db.prepare(std::string{"SELECT "} + kBaseColumns +
                              " FROM bases WHERE session = ? AND path = ?");
  find.bind(session).bind_blob(path);
  if (!find.step()) {
    return std::nullopt;
  }
  return read_base(find, 0);
}

std::map<std::string, BaseRow> all_bases(Database& db, const std::string& session) {
  return rows_of(db, session);
}

std::map<std::string, BaseRow> unsure_bases(Database& db, const std::string& session) {
  return rows_of(db, session, "INDEXED BY bases_unsure",
                 "AND (certain = 0 OR (hash = '' AND kind = 1))");
}

std::map<std::string, BaseRow> bases_without_text(Database& db, const std::string& session) {
  return rows_of(db, session, "INDEXED BY bases_without_text",
                 "AND stored = 0 AND git_id = '' AND kind = 1");
}

void put_base(Database& db, const std::string& session, const std::string& path,
              const BaseRow& row) {
  Statement put = db.prepare(std::string{"INSERT OR REPLACE INTO bases (session, path, "} +
                             kBaseColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  put.bind(session).bind_blob(path);
  bind_base(put, row);
  put.run();
}

void delete_base(Database& db, const std::string& session, const std::string& path) {
  db.prepare("DELETE FROM bases WHERE session = ? AND path = ?")
      .bind(session)
      .bind_blob(path)
      .run();
}

std::vector<std::string> pending_prunes(Database& db, const std::string& session) {
  Statement find = db.prepare("SELECT path FROM pending_prunes WHERE session = ? ORDER BY path");
  find.bind(session);
  std::vector<std::string> paths;
  while (find.step()) {
    paths.push_back(find.text(0));
  }
  return paths;
}

void add_pending_prune(Database& db, const std::string& session, const std::string& path) {
  db.prepare("INSERT OR REPLACE INTO pending_prunes (session, path) VALUES (?, ?)")
      .bind(session)
      .bind_blob(path)
      .run();
}

void delete_pending_prune(Database& db, const std::string& session, const std::string& path) {
  db.prepare("DELETE FROM pending_prunes WHERE session = ? AND path = ?")
      .bind(session)
      .bind_blob(path)
      .run();
}

void clear_pending_prunes(Database& db, const std::string& session) {
  db.prepare("DELETE FROM pending_prunes WHERE session = ?").bind(session).run();
}

}  // namespace shadow::store
