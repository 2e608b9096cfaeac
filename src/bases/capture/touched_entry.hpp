// SPDX-License-Identifier: MIT
// What a session is seen to have changed since its upper was looked at last.

#pragma once

#include "overlay/read/scan.hpp"

#include <cstdint>

namespace shadow::bases {

// An entry of the upper that is new, or other than it was. `first`: there was none before;
// `since_ns`: since when, at the latest, the session has not seen what the project has there, for
// this entry or for what it had in the place of a directory above.
struct TouchedEntry {
  const overlay::UpperEntry* entry;
  bool first;
  std::int64_t since_ns;
};

}  // namespace shadow::bases
