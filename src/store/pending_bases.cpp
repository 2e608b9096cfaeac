// SPDX-License-Identifier: MIT
#include "store/pending_bases.hpp"

namespace shadow::store {

void add_pending_base(Database& db, const std::string& session, const PendingBase& pending) {
  const BaseRow& row = pending.row;
  db.prepare(
        "INSERT OR REPLACE INTO pending_bases (session, path, upper_path, upper_hash, source, "
        "certain, kind, mode, size, ino, mtime_ns, ctime_ns, target, hash, stored) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(session)
      .bind_blob(pending.path)
      .bind_blob(pending.upper_path)
      .bind(pending.upper_hash)
      .bind(row.source)
      .bind(std::int64_t{row.certain})
      .bind(static_cast<std::int64_t>(row.entry.kind))
      .bind(std::int64_t{row.entry.mode})
      .bind(static_cast<std::int64_t>(row.entry.size))
      .bind(static_cast<std::int64_t>(row.entry.ino))
      .bind(row.entry.mtime_ns)
      .bind(row.entry.ctime_ns)
      .bind_blob(row.entry.target)
      .bind(row.hash)
      .bind(std::int64_t{row.stored})
      .run();
}

std::vector<AwaitedState> pending_bases(Database& db, const std::string& session) {
  Statement find = db.prepare(
      "SELECT path, upper_path, upper_hash FROM pending_bases WHERE session = ? ORDER BY path");
  find.bind(session);
  std::vector<AwaitedState> awaited;
  while (find.step()) {
    awaited.push_back({find.text(0), find.text(1), find.text(2)});
  }
  return awaited;
}

void accept_pending_base(Database& db, const std::string& session, const std::string& path) {
  delete_base(db, session, path);
  db.prepare(
        "INSERT INTO bases (session, path, source, certain, kind, mode, size, ino, mtime_ns, "
        "ctime_ns, target, hash, stored) SELECT session, path, source, certain, kind, mode, size, "
        "ino, mtime_ns, ctime_ns, target, hash, stored FROM pending_bases "
        "WHERE session = ? AND path = ? AND kind <> 0")
      .bind(session)
      .bind_blob(path)
      .run();
}

void clear_pending_bases(Database& db, const std::string& session) {
  db.prepare("DELETE FROM pending_bases WHERE session = ?").bind(session).run();
}

}  // namespace shadow::store
