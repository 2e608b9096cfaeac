// SPDX-License-Identifier: MIT
// Changes of a live session's own that hide later ones of the project's.

#pragma once

#include "shadow/change.hpp"

#include "overlay/format/format.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace shadow::refresh {

// By path: the time of the upper's entry (ctime_ns), which shows if a run has touched it
// since; 0 for a deletion.
using OwnChanges = std::map<std::string, std::int64_t>;

inline std::int64_t time_of_own(const Entry& entry) {
  return entry.exists() && !overlay::is_whiteout(entry) ? entry.ctime_ns : 0;
}

}  // namespace shadow::refresh
