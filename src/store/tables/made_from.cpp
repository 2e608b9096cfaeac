// SPDX-License-Identifier: MIT
#include "store/tables/made_from.hpp"

#include "store/tables/base_columns.hpp"

namespace shadow::store {

void put_made_from(Database& db, const std::string& session, const std::string& path,
                   const Base& base, const Base& later) {
  Statement put =
      db.prepare(std::string{"INSERT OR REPLACE INTO made_from (session, path, base_ctime_ns, "} +
                 kBaseColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  put.bind(session).bind_blob(path).bind(base.entry().ctime_ns);
  bind_base(put, later);
  put.run();
}

std::optional<Base> find_made_from(Database& db, const std::string& session,
                                   const std::string& path, const Base& base) {
  Statement find =
      db.prepare(std::string{"SELECT "} + kBaseColumns +
                 " FROM made_from WHERE session = ? AND path = ? AND base_ctime_ns = ?");
  find.bind(session).bind_blob(path).bind(base.entry().ctime_ns);
  return find.step() ? std::optional{read_base(find, 0, {})} : std::nullopt;
}

std::set<std::string> made_from_paths(Database& db, const std::string& session) {
  Statement find = db.prepare("SELECT path FROM made_from WHERE session = ?");
  find.bind(session);
  std::set<std::string> paths;
  while (find.step()) {
    paths.insert(find.text(0));
  }
  return paths;
}

}  // namespace shadow::store
