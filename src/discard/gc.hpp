// SPDX-License-Identifier: MIT
// Removes what no session needs any more.

#pragma once

#include "shadow/records.hpp"
#include "shadow/session.hpp"

#include "store/database/database.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace shadow::discard {

// The contents that a base, a base tree or an undo may still need.
[[nodiscard]] std::set<std::string> needed_blobs(const StateDir& state, store::Database& db);

// A session counts as lost when its project's path no longer exists, and it holds nothing or was
// not used since `keep_since_ns`. Applies and runs that ended before that are forgotten. A dry run
// tells what would be removed, but for the contents that would become unreferenced only then.
// Throws Error.
[[nodiscard]] GcReport collect_garbage(const StateDir& state, store::Database& db,
                                       std::int64_t keep_since_ns, GcMode mode);

}  // namespace shadow::discard
