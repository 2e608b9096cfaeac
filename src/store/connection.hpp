// SPDX-License-Identifier: MIT
// What the files of this room share about SQLite: ownership and the way its result codes become
// errors. The only header that includes <sqlite3.h>.

#pragma once

#include "store/database.hpp"

#include <sqlite3.h>

#include <memory>
#include <string>

namespace shadow::store {

struct CloseConnection {
  void operator()(sqlite3* connection) const noexcept { sqlite3_close_v2(connection); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};
using Connection = std::unique_ptr<sqlite3, CloseConnection>;
using StatementHandle = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

struct Database::State {
  Connection connection;
};

struct Statement::State {
  StatementHandle handle;
  int next_bind = 1;
};

// Throws the Error that says what a failed call on `connection` means for the person.
[[noreturn]] void throw_sqlite(sqlite3* connection, int result);

// Whether the result is one that passes when others have finished.
[[nodiscard]] bool is_busy(int result);

}  // namespace shadow::store
