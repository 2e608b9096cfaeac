// SPDX-License-Identifier: MIT
// What a session is seen to have changed since its upper was looked at last.

#pragma once

#include "overlay/read/scan.hpp"

#include <cstdint>

namespace shadow::bases {

// An entry of the upper that is new, or other than it was. `first`: there was none before;
// `since_ns`: the earliest time at which it can have come there. That is no time from which it
// hides the project's: a file keeps its own where it is moved, and whiteouts of one mount, which
// later runs may share, are links of one inode. `hidden_ns`: since when what the session has in the
// place of a directory above hides the project's (INT64_MAX: nothing does).
struct TouchedEntry {
  const overlay::UpperEntry* entry;
  bool first;
  std::int64_t since_ns;
  std::int64_t hidden_ns = INT64_MAX;
};

}  // namespace shadow::bases
