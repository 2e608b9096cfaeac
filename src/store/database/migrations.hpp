// SPDX-License-Identifier: MIT
// The schema's versions, kept in the database as PRAGMA user_version.

#pragma once

#include "store/database/connection.hpp"

namespace shadow::store {

// Brings the schema up to date. Does one small read when there is nothing to do. Throws Error when
// the schema is newer than this program.
void migrate(sqlite3* connection);

}  // namespace shadow::store
