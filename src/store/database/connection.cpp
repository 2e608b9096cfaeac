// SPDX-License-Identifier: MIT
#include "store/database/connection.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"

#include <new>

namespace shadow::store {

bool is_busy(int result) {
  // The low byte is the primary code; the rest says which lock it was. SQLITE_PROTOCOL is what
  // the WAL code returns after too many lost races for its locks.
  const int primary = result & 0xff;
  return primary == SQLITE_BUSY || primary == SQLITE_LOCKED || primary == SQLITE_PROTOCOL;
}

void throw_sqlite(sqlite3* connection, int result) {
  const char* name = connection == nullptr ? nullptr : sqlite3_db_filename(connection, "main");
  const std::string path = name == nullptr ? "" : name;
  const std::string what = path.empty() ? "the state database" : quoted(path);
  if (is_busy(result)) {
    throw Error{"cannot write " + what + ": another shadow command is writing to it",
                "try again in a moment", ExitCode::Refused};
  }
  switch (result & 0xff) {
    case SQLITE_NOMEM:
      throw std::bad_alloc{};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      throw Error{"cannot read " + what + ": the database is damaged",
                  "move it away together with the -wal and -shm files beside it; the sessions' "
                  "files are not in it and stay"};
    case SQLITE_FULL:
      throw Error{"cannot write " + what + ": no space left on device",
                  "make room there, or drop what a session wrote: shadow discard --yes"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      throw Error{"cannot open " + what + " for writing: " + sqlite3_errmsg(connection),
                  "check the owner and the mode of the state directory"};
    default:
      break;
  }
  throw Error{"cannot use " + what + ": " +
              (connection == nullptr ? sqlite3_errstr(result) : sqlite3_errmsg(connection))};
}

}  // namespace shadow::store
