// SPDX-License-Identifier: MIT
#include "store/tables/placed_copies.hpp"

namespace shadow::store {

std::map<std::string, PlacedCopy> placed_copies(Database& db, const std::string& session) {
  Statement find = db.prepare(
      "SELECT path, kind, mode, size, ino, mtime_ns, ctime_ns, real_ctime_ns FROM pending_prunes "
      "WHERE session = ? AND kind IS NOT NULL");
  find.bind(session);
  std::map<std::string, PlacedCopy> copies;
  while (find.step()) {
    PlacedCopy& copy = copies[find.text(0)];
    copy.own.kind = static_cast<EntryKind>(find.integer(1));
    copy.own.mode = static_cast<std::uint32_t>(find.integer(2));
    copy.own.size = static_cast<std::uint64_t>(find.integer(3));
    copy.own.ino = static_cast<std::uint64_t>(find.integer(4));
    copy.own.mtime_ns = find.integer(5);
    copy.own.ctime_ns = find.integer(6);
    copy.real_ctime_ns = find.integer(7);
  }
  return copies;
}

void put_placed_copy(Database& db, const std::string& session, const std::string& path,
                     const PlacedCopy& copy) {
  db.prepare(
        "INSERT OR REPLACE INTO pending_prunes (session, path, kind, mode, size, ino, mtime_ns, "
        "ctime_ns, real_ctime_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(session)
      .bind_blob(path)
      .bind(static_cast<std::int64_t>(copy.own.kind))
      .bind(std::int64_t{copy.own.mode})
      .bind(static_cast<std::int64_t>(copy.own.size))
      .bind(static_cast<std::int64_t>(copy.own.ino))
      .bind(copy.own.mtime_ns)
      .bind(copy.own.ctime_ns)
      .bind(copy.real_ctime_ns)
      .run();
}

std::vector<PossibleCopy> possible_copies(Database& db, const std::string& session) {
  Statement find = db.prepare(
      "SELECT path, own_ino, own_ctime_ns FROM possible_copies WHERE session = ? ORDER BY path");
  find.bind(session);
  return collect(find, [](const Statement& row) {
    return PossibleCopy{row.text(0), static_cast<std::uint64_t>(row.integer(1)), row.integer(2)};
  });
}

void add_possible_copy(Database& db, const std::string& session, const PossibleCopy& copy) {
  db.prepare(
        "INSERT INTO possible_copies (session, path, own_ino, own_ctime_ns) VALUES (?, ?, ?, ?) "
        "ON CONFLICT DO UPDATE SET own_ino = excluded.own_ino, "
        "own_ctime_ns = excluded.own_ctime_ns WHERE excluded.own_ino != 0")
      .bind(session)
      .bind_blob(copy.path)
      .bind(static_cast<std::int64_t>(copy.own_ino))
      .bind(copy.own_ctime_ns)
      .run();
}

bool was_seen_beside(Database& db, const std::string& session, const std::string& path,
                     const Entry& own) {
  return own.exists() && db.prepare(
                               "SELECT 1 FROM possible_copies WHERE session = ? AND path = ? AND "
                               "own_ino = ? AND own_ctime_ns = ?")
                             .bind(session)
                             .bind_blob(path)
                             .bind(static_cast<std::int64_t>(own.ino))
                             .bind(own.ctime_ns)
                             .step();
}

void clear_possible_copies(Database& db, const std::string& session) {
  db.prepare("DELETE FROM possible_copies WHERE session = ?").bind(session).run();
}

std::map<std::string, std::int64_t> shown_copies(Database& db, const std::string& session) {
  Statement find = db.prepare("SELECT path, real_ctime_ns FROM shown_copies WHERE session = ?");
  find.bind(session);
  std::map<std::string, std::int64_t> copies;
  while (find.step()) {
    copies.emplace(find.text(0), find.integer(1));
  }
  return copies;
}

void put_shown_copy(Database& db, const std::string& session, const std::string& path,
                    std::int64_t real_ctime_ns) {
  db.prepare("INSERT OR REPLACE INTO shown_copies (session, path, real_ctime_ns) VALUES (?, ?, ?)")
      .bind(session)
      .bind_blob(path)
      .bind(real_ctime_ns)
      .run();
}

}  // namespace shadow::store
