// SPDX-License-Identifier: MIT
// Copies of files that wait to be shown or written: small ones in memory, because a process may
// have few descriptors, the others open.

#pragma once

#include "sys/files/fd.hpp"

#include <cstdint>
#include <vector>

namespace shadow::overlay {

class HeldCopies {
 public:
  static constexpr std::uint64_t kSmall = std::uint64_t{64} << 10U;

  // True if a copy of so many bytes goes into memory, where it is counted; false if there is no
  // room for it.
  [[nodiscard]] bool takes_into_memory(std::uint64_t size);

  // Keeps an open copy for as long as this lives, and returns its descriptor.
  int keep_open(sys::Fd copy);

 private:
  std::uint64_t in_memory_ = 0;
  std::vector<sys::Fd> open_;
};

}  // namespace shadow::overlay
