// SPDX-License-Identifier: MIT
// What a session is seen to have changed since its upper was looked at last.

#pragma once

#include "overlay/read/scan.hpp"

#include <cstdint>

namespace shadow::bases {

// An entry of the upper that is new, or other than it was. `first`: there was none before;
// `since_ns`: the earliest time at which it can have come there; `hidden_ns`: since when a directory
// above it, that was deleted or made anew, has hidden what the project has there (INT64_MAX: none
// does).
struct TouchedEntry {
  const overlay::UpperEntry* entry;
  bool first;
  std::int64_t since_ns;
  std::int64_t hidden_ns = INT64_MAX;
};

}  // namespace shadow::bases
