// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "store/database/connection.hpp"
#include "store/database/database.hpp"

#include <new>
#include <utility>

namespace shadow::store {
namespace {

// A null pointer would bind NULL, also with length 0.
const char* never_null(std::string_view bytes) {
  return bytes.data() == nullptr ? "" : bytes.data();
}

void check(sqlite3_stmt* statement, int result) {
  if (result != SQLITE_OK) {
    throw_sqlite(sqlite3_db_handle(statement), result);
  }
}

}  // namespace

StatementState::~StatementState() {
  if (!handle) {
    return;
  }
  sqlite3_reset(handle.get());
  sqlite3_clear_bindings(handle.get());
  try {
    home.try_emplace(sqlite3_sql(handle.get()), std::move(handle));
  } catch (const std::bad_alloc&) {
    return;  // finalized instead
  }
}

Statement::Statement(std::unique_ptr<StatementState> state) : state_{std::move(state)} {
}
Statement::Statement(Statement&&) noexcept = default;
Statement& Statement::operator=(Statement&&) noexcept = default;
Statement::~Statement() = default;

Statement& Statement::bind(std::int64_t value) {
  check(state_->handle.get(), sqlite3_bind_int64(state_->handle.get(), state_->next_bind++, value));
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  check(state_->handle.get(),
        sqlite3_bind_text64(state_->handle.get(), state_->next_bind++, never_null(text),
                            text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_blob(std::string_view bytes) {
  check(state_->handle.get(),
        sqlite3_bind_blob64(state_->handle.get(), state_->next_bind++, never_null(bytes),
                            bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind_null() {
  check(state_->handle.get(), sqlite3_bind_null(state_->handle.get(), state_->next_bind++));
  return *this;
}

Statement& Statement::bind(const std::optional<std::int64_t>& value) {
  return value ? bind(*value) : bind_null();
}

bool Statement::step() {
  const int result = sqlite3_step(state_->handle.get());
  if (result == SQLITE_ROW) {
    return true;
  }
  if (result == SQLITE_DONE) {
    return false;
  }
  // Reset first: a statement that failed keeps its read lock until then. The message stays.
  sqlite3* connection = sqlite3_db_handle(state_->handle.get());
  sqlite3_reset(state_->handle.get());
  throw_sqlite(connection, result);
}

void Statement::run() {
  if (step()) {
    reset();
    throw Error{"cannot use the state database: a statement returned a row unasked"};
  }
  reset();
}

void Statement::reset() {
  sqlite3_reset(state_->handle.get());
  state_->next_bind = 1;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(state_->handle.get(), column);
}

std::optional<std::int64_t> Statement::maybe_integer(int column) const {
  if (is_null(column)) {
    return std::nullopt;
  }
  return integer(column);
}

std::string Statement::text(int column) const {
  const void* bytes = sqlite3_column_blob(state_->handle.get(), column);
  const int size = sqlite3_column_bytes(state_->handle.get(), column);
  return bytes == nullptr
             ? std::string{}
             : std::string{static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(state_->handle.get(), column) == SQLITE_NULL;
}

}  // namespace shadow::store
