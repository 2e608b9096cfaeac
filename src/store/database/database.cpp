// SPDX-License-Identifier: MIT
#include "store/database/database.hpp"

#include "store/database/connection.hpp"
#include "store/database/migrations.hpp"

#include <utility>

namespace shadow::store {
namespace {

constexpr int kBusyMilliseconds = 10'000;

// A checkpoint syncs to disk, which no command should wait for: `checkpoint` is called in the
// background, and this is only the bound for when it never gets its turn (in pages of 4 KiB).
constexpr int kAutoCheckpointPages = 4'000;

void configure(sqlite3* connection) {
  sqlite3_busy_timeout(connection, kBusyMilliseconds);
  sqlite3_wal_autocheckpoint(connection, kAutoCheckpointPages);
  // These need no look at the file, unlike their PRAGMA forms.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

}  // namespace

Database::Database(const std::string& path) : state_{std::make_unique<DatabaseState>()} {
  // NOMUTEX: a connection stays within one thread. EXRESCODE: which lock was busy shows in the
  // code.
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(
      path.c_str(), &raw,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      nullptr);
  state_->connection.reset(raw);
  if (opened != SQLITE_OK) {
    throw_sqlite(raw, opened);
  }
  configure(raw);
  migrate(raw);
  set_durability(Durability::Normal);
}

Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

void Database::set_durability(Durability durability) {
  execute(durability == Durability::Full ? "PRAGMA synchronous = FULL"
                                         : "PRAGMA synchronous = NORMAL");
}

Statement Database::prepare(std::string_view sql) {
  auto state = std::make_unique<StatementState>(state_->idle);
  if (auto idle = state_->idle.extract(std::string{sql}); !idle.empty()) {
    state->handle = std::move(idle.mapped());
    return Statement{std::move(state)};
  }
  sqlite3_stmt* raw = nullptr;
  const int result = sqlite3_prepare_v2(state_->connection.get(), sql.data(),
                                        static_cast<int>(sql.size()), &raw, nullptr);
  state->handle.reset(raw);
  if (result != SQLITE_OK) {
    throw_sqlite(state_->connection.get(), result);
  }
  return Statement{std::move(state)};
}

void Database::execute(const char* sql) {
  const int result = sqlite3_exec(state_->connection.get(), sql, nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) {
    throw_sqlite(state_->connection.get(), result);
  }
}

std::int64_t Database::last_insert_id() const {
  return sqlite3_last_insert_rowid(state_->connection.get());
}

void Database::checkpoint() {
  sqlite3* connection = state_->connection.get();
  // Without waiting: while others read or write, as much as can be is moved, and the rest the next
  // time.
  sqlite3_busy_timeout(connection, 0);
  const int result =
      sqlite3_wal_checkpoint_v2(connection, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_timeout(connection, kBusyMilliseconds);
  if (result != SQLITE_OK && !is_busy(result)) {
    throw_sqlite(connection, result);
  }
}

Snapshot::Snapshot(Database& database) : database_{database} {
  database_.execute("BEGIN");
}

Snapshot::~Snapshot() {
  try {
    database_.execute("ROLLBACK");
  } catch (const std::exception&) {
    return;  // SQLite has ended it by itself, after an error that was thrown already
  }
}

Transaction::Transaction(Database& database) : database_{database} {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) {
    try {
      database_.execute("ROLLBACK");
    } catch (const std::exception&) {
      // SQLite has rolled back by itself (disk full, I/O error); nothing is left to do.
      return;
    }
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace shadow::store
