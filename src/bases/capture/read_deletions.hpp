// SPDX-License-Identifier: MIT
// Of which deletions a later version is read: of those that can be half of a move, as large as
// something that came with them, and of a few more. What a clean-up deletes may be very much.

#pragma once

#include "shadow/base.hpp"

#include "bases/capture/touched_entry.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace shadow::bases {

class ReadDeletions {
 public:
  // `entries`: all that came together.
  explicit ReadDeletions(const std::vector<TouchedEntry>& entries);

  // True if a later version of what was deleted is read; the ones without anything of their size
  // are counted. `base`: what it was.
  [[nodiscard]] bool has(const Base& base);

 private:
  std::set<std::uint64_t> sizes_;
  std::size_t others_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace shadow::bases
