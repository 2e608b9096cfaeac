// SPDX-License-Identifier: MIT
// Files and links of a session that are what the project has: git writes one anew as it was where
// only its times differ.

#pragma once

#include "shadow/base.hpp"

#include "overlay/read/scan.hpp"

namespace shadow::bases {

// True if the session's entry and the project's file or link of that path do not differ. Throws as
// overlay::compare() does.
[[nodiscard]] bool is_alike(int upper, int lower, const overlay::UpperEntry& own,
                            const Entry& real);

// True if the project has the base's content again, under other times, and the session has the
// same. Of a text that only the project's repository has, the size is what is known here. Reads
// both; false where one of them is changing.
[[nodiscard]] bool has_base_again(int upper, int lower, const overlay::UpperEntry& own,
                                  const Entry& real, const Base& base);

}  // namespace shadow::bases
