// SPDX-License-Identifier: MIT
#include "store/tables/base_attributes.hpp"

#include <cstdint>

namespace shadow::store {

void put_base_attributes(Database& db, const std::string& session, const std::string& path,
                         const Entry& real, const BaseAttributes& attributes) {
  db.prepare(
        "INSERT OR REPLACE INTO base_attributes (session, path, ino, ctime_ns, of_user, acls) "
        "VALUES (?, ?, ?, ?, ?, ?)")
      .bind(session)
      .bind_blob(path)
      .bind(static_cast<std::int64_t>(real.ino))
      .bind(real.ctime_ns)
      .bind(attributes.of_user)
      .bind(attributes.acls)
      .run();
}

std::optional<BaseAttributes> find_base_attributes(Database& db, const std::string& session,
                                                   const std::string& path, const Entry& base) {
  Statement find = db.prepare(
      "SELECT of_user, acls FROM base_attributes "
      "WHERE session = ? AND path = ? AND ino = ? AND ctime_ns = ?");
  find.bind(session).bind_blob(path).bind(static_cast<std::int64_t>(base.ino)).bind(base.ctime_ns);
  if (!find.step()) {
    return std::nullopt;
  }
  return BaseAttributes{find.text(0), find.text(1)};
}

void forget_base_attributes(Database& db, const std::string& session, const std::string& path) {
  db.prepare("DELETE FROM base_attributes WHERE session = ? AND path = ?")
      .bind(session)
      .bind_blob(path)
      .run();
}

}  // namespace shadow::store
