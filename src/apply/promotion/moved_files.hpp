// SPDX-License-Identifier: MIT
// The files that an apply moved to a new name, found by its journal: where an undo cannot put the
// text back at the old name, the new one stays.

#pragma once

#include "shadow/apply.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace shadow::apply {

// Those of which the old name is among the paths, unless the text is there again. Equal contents
// pair first, then those that share half of their lines: the agent's edits and a merge come with a
// move. Throws SysError, and StaleError when a file changes while it is read.
[[nodiscard]] MovedFrom find_moved(const ApplySite& site, std::int64_t apply,
                                   const std::set<std::string>& old_names);

}  // namespace shadow::apply
