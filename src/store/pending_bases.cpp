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
      .bind_blob(row.entry.target.str())
      .bind(row.hash)
      .bind(std::int64_t{row.stored})
      .run();
}

std::vector<PendingBase> pending_bases(Database& db, const std::string& session) {
  Statement find = db.prepare(
      "SELECT path, upper_path, upper_hash, source, certain, kind, mode, size, ino, mtime_ns, "
      "ctime_ns, target, hash, stored FROM pending_bases WHERE session = ? ORDER BY path");
  find.bind(session);
  std::vector<PendingBase> bases;
  while (find.step()) {
    PendingBase& pending = bases.emplace_back();
    pending.path = find.text(0);
    pending.upper_path = find.text(1);
    pending.upper_hash = find.text(2);
    pending.row.source = find.text(3);
    pending.row.certain = find.integer(4) != 0;
    Entry& entry = pending.row.entry;
    entry.kind = static_cast<EntryKind>(find.integer(5));
    entry.mode = static_cast<std::uint32_t>(find.integer(6));
    entry.size = static_cast<std::uint64_t>(find.integer(7));
    entry.ino = static_cast<std::uint64_t>(find.integer(8));
    entry.mtime_ns = find.integer(9);
    entry.ctime_ns = find.integer(10);
    entry.target = find.text(11);
    pending.row.hash = find.text(12);
    pending.row.stored = find.integer(13) != 0;
  }
  return bases;
}

void clear_pending_bases(Database& db, const std::string& session) {
  db.prepare("DELETE FROM pending_bases WHERE session = ?").bind(session).run();
}

}  // namespace shadow::store
