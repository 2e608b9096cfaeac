// SPDX-License-Identifier: MIT
#include "store/tables/tallies.hpp"

namespace shadow::store {
namespace {

std::optional<std::uint64_t> count_at(const Statement& at, int column) {
  const auto count = at.maybe_integer(column);
  return count ? std::optional{static_cast<std::uint64_t>(*count)} : std::nullopt;
}

}  // namespace

Tally find_tally(Database& db, const std::string& session) {
  Statement find = db.prepare(
      "SELECT version, changes, changes_version, counted_ns, bytes, home_bytes, bytes_version "
      "FROM tallies WHERE session = ?");
  find.bind(session);
  Tally tally;
  if (find.step()) {
    tally.version = find.integer(0);
    tally.changes = count_at(find, 1);
    tally.changes_version = find.integer(2);
    tally.counted_ns = find.integer(3);
    tally.bytes = count_at(find, 4);
    tally.home_bytes = count_at(find, 5);
    tally.bytes_version = find.integer(6);
  }
  return tally;
}

void outdate_tally(Database& db, const std::string& session, Touched touched) {
  // The right sides are those of the row as it was.
  Statement outdate = db.prepare(
      "INSERT INTO tallies (session, version) VALUES (?, 1) ON CONFLICT (session) DO UPDATE SET "
      "changes_version = changes_version + (? AND changes_version = version), "
      "version = version + 1");
  outdate.bind(session).bind(std::int64_t{touched == Touched::NoChanges}).run();
}

void put_changes(Database& db, const std::string& session, std::int64_t version,
                 std::optional<std::uint64_t> changes, std::int64_t now_ns) {
  Statement put = db.prepare(
      "INSERT INTO tallies (session, changes, changes_version, counted_ns) VALUES (?, ?, ?, ?) "
      "ON CONFLICT (session) DO UPDATE SET changes = excluded.changes, "
      "changes_version = excluded.changes_version, counted_ns = excluded.counted_ns");
  put.bind(session)
      .bind(changes ? std::optional{static_cast<std::int64_t>(*changes)} : std::nullopt)
      .bind(version)
      .bind(now_ns)
      .run();
}

void put_bytes(Database& db, const std::string& session, std::int64_t version, std::uint64_t bytes,
               std::uint64_t home_bytes) {
  Statement put = db.prepare(
      "INSERT INTO tallies (session, bytes, home_bytes, bytes_version) VALUES (?, ?, ?, ?) "
      "ON CONFLICT (session) DO UPDATE SET bytes = excluded.bytes, "
      "home_bytes = excluded.home_bytes, bytes_version = excluded.bytes_version");
  put.bind(session)
      .bind(static_cast<std::int64_t>(bytes))
      .bind(static_cast<std::int64_t>(home_bytes))
      .bind(version)
      .run();
}

}  // namespace shadow::store
