// SPDX-License-Identifier: MIT
#include "store/tables/comparisons.hpp"

namespace shadow::store {
namespace {

void bind(Statement& statement, const std::string& session, const std::string& path,
          const Entry& upper, const Entry& lower) {
  statement.bind(session)
      .bind_blob(path)
      .bind(static_cast<std::int64_t>(upper.ino))
      .bind(upper.ctime_ns)
      .bind(static_cast<std::int64_t>(lower.ino))
      .bind(lower.ctime_ns);
}

}  // namespace

std::optional<bool> find_comparison(Database& db, const std::string& session,
                                    const std::string& path, const Entry& upper,
                                    const Entry& lower) {
  Statement find = db.prepare(
      "SELECT same FROM comparisons WHERE session = ? AND path = ? AND upper_ino = ? AND "
      "upper_ctime_ns = ? AND lower_ino = ? AND lower_ctime_ns = ?");
  bind(find, session, path, upper, lower);
  return find.step() ? std::optional{find.integer(0) != 0} : std::nullopt;
}

void put_comparison(Database& db, const std::string& session, const std::string& path,
                    const Entry& upper, const Entry& lower, bool same) {
  Statement put = db.prepare(
      "INSERT OR REPLACE INTO comparisons (session, path, upper_ino, upper_ctime_ns, lower_ino, "
      "lower_ctime_ns, same) VALUES (?, ?, ?, ?, ?, ?, ?)");
  bind(put, session, path, upper, lower);
  put.bind(std::int64_t{same}).run();
}

}  // namespace shadow::store
