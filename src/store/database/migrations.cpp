// SPDX-License-Identifier: MIT
#include "store/database/migrations.hpp"

#include "shadow/error.hpp"

#include "base/scope_exit.hpp"
#include "store/schema.hpp"
#include "sys/files/clock.hpp"

#include <array>
#include <cstdint>
#include <ctime>
#include <string>

namespace shadow::store {
namespace {

// Element N turns version N into N + 1; old ones are never edited.
constexpr std::array kMigrations = {kMigration1,  kMigration2,  kMigration3,  kMigration4,
                                    kMigration5,  kMigration6,  kMigration7,  kMigration8,
                                    kMigration9,  kMigration10, kMigration11, kMigration12,
                                    kMigration13, kMigration14, kMigration15};
constexpr int kVersion = static_cast<int>(kMigrations.size());

// The first opener of a new database takes locks (its switch to WAL among them) for which SQLite
// does not call the busy handler, so that all the others have to try again by themselves.
constexpr std::int64_t kPatienceNs = 10'000'000'000;

template <class Call>
int with_patience(const Call& call) {
  const std::int64_t end = sys::monotonic_ns() + kPatienceNs;
  for (;;) {
    const int result = call();
    if (!is_busy(result) || sys::monotonic_ns() > end) {
      return result;
    }
    const timespec pause{0, 2'000'000};
    ::nanosleep(&pause, nullptr);
  }
}

int run(sqlite3* connection, const char* sql) {
  return sqlite3_exec(connection, sql, nullptr, nullptr, nullptr);
}

int read_version(sqlite3* connection) {
  int version = 0;
  const int result = with_patience([&] {
    sqlite3_stmt* raw = nullptr;
    const int prepared = sqlite3_prepare_v2(connection, "PRAGMA user_version", -1, &raw, nullptr);
    const StatementHandle statement{raw};
    if (prepared != SQLITE_OK) {
      return prepared;
    }
    const int stepped = sqlite3_step(raw);
    if (stepped == SQLITE_ROW) {
      version = sqlite3_column_int(raw, 0);
      return SQLITE_OK;
    }
    return stepped;
  });
  if (result != SQLITE_OK) {
    throw_sqlite(connection, result);
  }
  return version;
}

void execute(sqlite3* connection, const char* sql) {
  const int result = run(connection, sql);
  if (result != SQLITE_OK) {
    throw_sqlite(connection, result);
  }
}

void refuse_newer(int version) {
  if (version > kVersion) {
    throw Error{"cannot use the state directory: its database has version " +
                    std::to_string(version) + ", and this shadow knows versions up to " +
                    std::to_string(kVersion),
                "a newer shadow has used it; install that one, or set SHADOW_STATE_DIR to another "
                "directory"};
  }
}

}  // namespace

void migrate(sqlite3* connection) {
  const int found = read_version(connection);
  refuse_newer(found);
  if (found == kVersion) {
    return;
  }
  const int switched = with_patience([&] { return run(connection, "PRAGMA journal_mode = WAL"); });
  if (switched != SQLITE_OK) {
    throw_sqlite(connection, switched);
  }
  const int begun = with_patience([&] { return run(connection, "BEGIN IMMEDIATE"); });
  if (begun != SQLITE_OK) {
    throw_sqlite(connection, begun);
  }
  ScopeExit roll_back{[&] { run(connection, "ROLLBACK"); }};
  // Read again: another process may have done it while this one waited for the lock.
  const int version = read_version(connection);
  refuse_newer(version);
  for (int next = version; next < kVersion; ++next) {
    execute(connection, kMigrations.at(static_cast<std::size_t>(next)));
    execute(connection, ("PRAGMA user_version = " + std::to_string(next + 1)).c_str());
  }
  execute(connection, "COMMIT");
  roll_back.release();
}

}  // namespace shadow::store
