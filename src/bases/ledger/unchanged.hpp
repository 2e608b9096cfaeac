// SPDX-License-Identifier: MIT
// Files that a run copied up and left as the project has them: touched, or written with what they
// had.

#pragma once

#include "bases/capture/capture.hpp"
#include "store/tables/placed_copies.hpp"

#include <string>
#include <vector>

namespace shadow::bases {

struct UnchangedCopy {
  std::string path;
  store::PlacedCopy copy;
};

// Those of the entries that are what the project had already when they began to hide it. They are
// no change, and would hide the next one of the project's; or become one, when the project goes
// back to the base. Reads both files where their sizes are the same.
[[nodiscard]] std::vector<UnchangedCopy> unchanged_copies(const BaseCapture& capture, int upper,
                                                          int lower,
                                                          const std::vector<TouchedEntry>& entries);

}  // namespace shadow::bases
