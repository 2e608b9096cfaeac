// SPDX-License-Identifier: MIT
// What runs that go on have put into the upper so far. Its bases are settled; which run made it is
// recorded at the end, by the entry, unless somebody else replaces that before.

#pragma once

#include "overlay/read/scan.hpp"
#include "store/database/database.hpp"
#include "store/tables/runs.hpp"

#include <string>

namespace shadow::bases {

// What `upper_seen` has of such an entry: new in the upper, or written over one that is recorded.
[[nodiscard]] store::SeenEntry unrecorded_form(const overlay::UpperEntry& entry, bool first);
[[nodiscard]] bool is_unrecorded(const store::SeenEntry& seen);
[[nodiscard]] bool is_unrecorded_and_new(const store::SeenEntry& seen);

// For whoever has replaced the entry: gives such a one to the runs that can have made it. Nothing
// where it is recorded or was not seen. Part of a transaction of the caller's.
void record_before_replaced(store::Database& db, const std::string& session,
                            const std::string& path);

}  // namespace shadow::bases
