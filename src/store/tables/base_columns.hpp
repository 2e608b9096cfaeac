// SPDX-License-Identifier: MIT
// The columns of a base, which four tables have, in one order.

#pragma once

#include "shadow/base.hpp"

#include "store/database/database.hpp"

#include <string>

namespace shadow::store {

inline constexpr const char* kBaseColumns =
    "source, certain, kind, mode, size, ino, mtime_ns, ctime_ns, target, hash, stored";

// Those columns of a result, from `first` on. `object` is what another column has: the id of the
// object that holds the content, or "".
[[nodiscard]] Base read_base(const Statement& at, int first, const std::string& object);

// Binds them, and returns the statement.
Statement& bind_base(Statement& statement, const Base& base);

}  // namespace shadow::store
