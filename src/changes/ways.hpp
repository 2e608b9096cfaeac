// SPDX-License-Identifier: MIT
// Directories of the session that count for what is in them alone, and those of which the project's
// keep their rights.

#pragma once

#include "shadow/base.hpp"
#include "shadow/review.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace shadow::changes {

// True if something of the session's is below the directory. The items are sorted by path.
[[nodiscard]] bool has_change_below(const std::vector<ReviewItem>& items,
                                    const std::string& directory);

// Takes for no change those that the project deleted, and in which the session has nothing of its
// own by now but what waits to be taken out. `ways` has the paths of those that may be meant.
void leave_ways_to_nothing(const std::set<std::string>& ways, ReviewSet& set);

// True for a directory of both sides that the project made, or changed after the session had copied
// it (not every filesystem tells when): without a base nothing tells whose change its rights are,
// and the project's may be the narrower ones.
[[nodiscard]] bool may_have_projects_rights(const Change& change, bool copied_up,
                                            std::int64_t base_time_ns);

// True for a directory of both sides whose access control lists differ, which no base keeps, and
// nothing else, where the project's has one and was changed since the base: with a name in it, or
// with that list. `lower` is the project's root.
[[nodiscard]] bool may_lose_acl(int lower, const Change& change, const Base* base);

}  // namespace shadow::changes
