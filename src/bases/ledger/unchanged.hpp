// SPDX-License-Identifier: MIT
// Files that a run copied up and left as the project has them: touched, or written with what they
// had.

#pragma once

#include "bases/capture/capture.hpp"
#include "store/database/database.hpp"
#include "store/tables/placed_copies.hpp"

#include <string>
#include <vector>

namespace shadow::bases {

struct UnchangedCopy {
  std::string path;
  store::PlacedCopy copy;
};

// Those of the entries whose real file is another one than their base, and was that already when
// they began to hide it. Where the base is what the project has no note is needed: what equals the
// base is no change. Here it would become one when the project gets its base back. `taken` are
// bases that are not in the database yet. Reads both files where their sizes are the same.
[[nodiscard]] std::vector<UnchangedCopy> unchanged_copies(store::Database& db,
                                                          const std::string& session, int upper,
                                                          int lower,
                                                          const std::vector<TouchedEntry>& entries,
                                                          const std::vector<CapturedBase>& taken);

}  // namespace shadow::bases
