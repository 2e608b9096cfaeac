// SPDX-License-Identifier: MIT
// What the files of this room share about SQLite: ownership and the way its result codes become
// errors. The only header that includes <sqlite3.h>.

#pragma once

#include "store/database.hpp"

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

struct Database::State {
  Connection connection;
  IdleStatements idle;
};

struct Statement::State {
  explicit State(IdleStatements& idle) : home{idle} {}
  State(const State&) = delete;
  State(State&&) = delete;
  State& operator=(const State&) = delete;
  State& operator=(State&&) = delete;
  ~State();  // gives the statement back

  StatementHandle handle;
  int next_bind = 1;
  IdleStatements& home;
};

// Throws the Error that says what a failed call on `connection` means for the person.
[[noreturn]] void throw_sqlite(sqlite3* connection, int result);

// Whether the result is one that passes when others have finished.
[[nodiscard]] bool is_busy(int result);

}  // namespace shadow::store
