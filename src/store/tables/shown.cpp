// SPDX-License-Identifier: MIT
#include "store/tables/shown.hpp"

#include <algorithm>

namespace shadow::store {

namespace {

ShownRow row_from(const Statement& at, int first) {
  // A digest of another length, from whatever wrote there, is no content's.
  ShownRow row;
  const std::string digest = at.text(first);
  std::copy_n(digest.begin(), std::min(digest.size(), row.digest.size()), row.digest.begin());
  row.shown_ns = at.integer(first + 1);
  return row;
}

}  // namespace

void put_shown(Database& db, const std::string& session, std::string_view path,
               const ShownRow& row) {
  db.prepare("INSERT OR REPLACE INTO shown (session, path, digest, shown_ns) VALUES (?, ?, ?, ?)")
      .bind(session)
      .bind_blob(path)
      .bind_blob(as_bytes(row.digest))
      .bind(row.shown_ns)
      .run();
}

std::optional<ShownRow> find_shown(Database& db, const std::string& session,
                                   std::string_view path) {
  Statement find = db.prepare("SELECT digest, shown_ns FROM shown WHERE session = ? AND path = ?");
  find.bind(session).bind_blob(path);
  return find.step() ? std::optional{row_from(find, 0)} : std::nullopt;
}

std::map<std::string, ShownRow> all_shown(Database& db, const std::string& session) {
  Statement find = db.prepare("SELECT path, digest, shown_ns FROM shown WHERE session = ?");
  find.bind(session);
  std::map<std::string, ShownRow> rows;
  while (find.step()) {
    rows.emplace(find.text(0), row_from(find, 1));
  }
  return rows;
}

void forget_shown(Database& db, const std::string& session, std::string_view path) {
  db.prepare("DELETE FROM shown WHERE session = ? AND path = ?")
      .bind(session)
      .bind_blob(path)
      .run();
}

void forget_shown_below(Database& db, const std::string& session, std::string_view path) {
  const std::string below{path};
  db.prepare("DELETE FROM shown WHERE session = ? AND (path = ? OR (path > ? AND path < ?))")
      .bind(session)
      .bind_blob(path)
      .bind_blob(below + '/')
      .bind_blob(below + '0')  // the byte behind the slash
      .run();
}

}  // namespace shadow::store
