// SPDX-License-Identifier: MIT
#include "store/tables/shown_versions.hpp"

#include "store/tables/base_columns.hpp"

namespace shadow::store {

std::vector<ShownVersion> shown_versions(Database& db, const std::string& session,
                                         const std::string& path) {
  Statement find = db.prepare(std::string{"SELECT noted_ns, "} + kBaseColumns +
                              " FROM shown_versions WHERE session = ? AND path = ? "
                              "ORDER BY noted_ns");
  find.bind(session).bind_blob(path);
  return collect(find, [](const Statement& row) {
    return ShownVersion{row.integer(0), read_base(row, 1, {})};
  });
}

void put_shown_version(Database& db, const std::string& session, const std::string& path,
                       const ShownVersion& version, const std::optional<std::string>& text) {
  Statement put =
      db.prepare(std::string{"INSERT OR REPLACE INTO shown_versions (session, path, noted_ns, "} +
                 kBaseColumns + ", text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  put.bind(session).bind_blob(path).bind(version.noted_ns);
  bind_base(put, version.base);
  if (text) {
    put.bind_blob(*text);
  } else {
    put.bind_null();
  }
  put.run();
}

std::optional<std::string> shown_text(Database& db, const std::string& session,
                                      const std::string& path, std::int64_t noted_ns) {
  Statement find = db.prepare(
      "SELECT text FROM shown_versions WHERE session = ? AND path = ? AND noted_ns = ? "
      "AND text IS NOT NULL");
  find.bind(session).bind_blob(path).bind(noted_ns);
  return find.step() ? std::optional{find.text(0)} : std::nullopt;
}

void delete_shown_version(Database& db, const std::string& session, const std::string& path,
                          std::int64_t noted_ns) {
  db.prepare("DELETE FROM shown_versions WHERE session = ? AND path = ? AND noted_ns = ?")
      .bind(session)
      .bind_blob(path)
      .bind(noted_ns)
      .run();
}

std::vector<std::string> shown_below(Database& db, const std::string& session,
                                     const std::string& directory) {
  Statement find = db.prepare(
      "SELECT DISTINCT path FROM shown_versions WHERE session = ? AND path > ? AND path < ?");
  find.bind(session).bind_blob(directory + '/').bind_blob(directory + '0');  // which follows '/'
  return texts(find);
}

ShownSize shown_size(Database& db, const std::string& session) {
  Statement count = db.prepare(
      "SELECT count(*), coalesce(sum(length(text)), 0) FROM shown_versions WHERE session = ?");
  count.bind(session);
  return count.step() ? ShownSize{static_cast<std::uint64_t>(count.integer(0)),
                                  static_cast<std::uint64_t>(count.integer(1))}
                      : ShownSize{};
}

void clear_shown_versions(Database& db, const std::string& session) {
  db.prepare("DELETE FROM shown_versions WHERE session = ?").bind(session).run();
}

}  // namespace shadow::store
