// SPDX-License-Identifier: MIT
#include "store/tables/made_from.hpp"

#include "store/tables/base_columns.hpp"

#include <cstdint>

namespace shadow::store {

void put_made_from(Database& db, const std::string& session, const std::string& path,
                   const Base& base, const std::vector<Base>& later) {
  db.prepare("DELETE FROM made_from WHERE session = ? AND path = ?")
      .bind(session)
      .bind_blob(path)
      .run();
  std::int64_t age = 0;
  for (const Base& one : later) {
    Statement put =
        db.prepare(std::string{"INSERT INTO made_from (session, path, age, base_ctime_ns, "} +
                   kBaseColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    put.bind(session).bind_blob(path).bind(age++).bind(base.entry().ctime_ns);
    bind_base(put, one);
    put.run();
  }
}

std::vector<Base> find_made_from(Database& db, const std::string& session, const std::string& path,
                                 const Base& base) {
  Statement find =
      db.prepare(std::string{"SELECT "} + kBaseColumns +
                 " FROM made_from WHERE session = ? AND path = ? AND base_ctime_ns = ? "
                 "ORDER BY age");
  find.bind(session).bind_blob(path).bind(base.entry().ctime_ns);
  return collect(find, [](const Statement& row) { return read_base(row, 0, {}); });
}

std::set<std::string> made_from_paths(Database& db, const std::string& session) {
  Statement find = db.prepare("SELECT DISTINCT path FROM made_from WHERE session = ?");
  find.bind(session);
  std::set<std::string> paths;
  while (find.step()) {
    paths.insert(find.text(0));
  }
  return paths;
}

}  // namespace shadow::store
