// SPDX-License-Identifier: MIT
#include "overlay/read/held_copies.hpp"

#include "sys/processes/process.hpp"

#include <utility>

namespace shadow::overlay {

bool HeldCopies::takes_into_memory(std::uint64_t size) {
  constexpr std::uint64_t kMostInMemory = std::uint64_t{256} << 20U;
  if (size > kSmall || in_memory_ + size > kMostInMemory) {
    return false;
  }
  in_memory_ += size;
  return true;
}

int HeldCopies::keep_open(sys::Fd copy) {
  constexpr std::size_t kFewDescriptors = 64;
  if (open_.size() == kFewDescriptors) {
    sys::allow_all_descriptors();
  }
  open_.push_back(std::move(copy));
  return open_.back().get();
}

}  // namespace shadow::overlay
