// SPDX-License-Identifier: MIT
// Ownership and error codes of SQLite, for the files of this room. The only header that includes
// <sqlite3.h>.

#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>
#include <unordered_map>

namespace shadow::store {

struct CloseConnection {
  void operator()(sqlite3* connection) const noexcept { sqlite3_close_v2(connection); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};
using Connection = std::unique_ptr<sqlite3, CloseConnection>;
using StatementHandle = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

// Statements that nobody uses now, by their text: what is done for thousands of paths is parsed
// once.
using IdleStatements = std::unordered_map<std::string, StatementHandle>;

struct DatabaseState {
  Connection connection;
  IdleStatements idle;
};

struct StatementState {
  explicit StatementState(IdleStatements& idle) : home{idle} {}
  StatementState(const StatementState&) = delete;
  StatementState(StatementState&&) = delete;
  StatementState& operator=(const StatementState&) = delete;
  StatementState& operator=(StatementState&&) = delete;
  ~StatementState();  // gives the statement back

  StatementHandle handle;
  int next_bind = 1;
  IdleStatements& home;
};

// Throws the Error that says what a failed call on `connection` means for the person.
[[noreturn]] void throw_sqlite(sqlite3* connection, int result);

// True if the call may succeed once another process has finished.
[[nodiscard]] bool is_busy(int result);

}  // namespace shadow::store
