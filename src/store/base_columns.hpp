// SPDX-License-Identifier: MIT
// The columns of a BaseRow, which two tables have, in one order.

#pragma once

#include "store/base_row.hpp"
#include "store/database.hpp"

namespace shadow::store {

inline constexpr const char* kBaseColumns =
    "source, certain, kind, mode, size, ino, mtime_ns, ctime_ns, target, hash, stored, git_id";

// Those columns of a result, from `first` on.
[[nodiscard]] BaseRow read_base(const Statement& at, int first);

// Binds them.
void bind_base(Statement& statement, const BaseRow& row);

}  // namespace shadow::store
