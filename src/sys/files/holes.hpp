// SPDX-License-Identifier: MIT
// The holes of a sparse file, which need not be read: a file may claim to be a TiB long.

#pragma once

#include <sys/types.h>

namespace shadow::sys {

// To be asked at rising offsets. Moves the descriptor's position while it lives.
class HoleFinder {
 public:
  explicit HoleFinder(int fd);
  HoleFinder(const HoleFinder&) = delete;
  HoleFinder(HoleFinder&&) = delete;
  HoleFinder& operator=(const HoleFinder&) = delete;
  HoleFinder& operator=(HoleFinder&&) = delete;
  ~HoleFinder();

  // The number of bytes from `at` to the end of the hole there; 0 if there is none or the
  // filesystem cannot tell.
  [[nodiscard]] off_t length_at(off_t at);

 private:
  int fd_;
  off_t size_ = 0;
  off_t position_ = -1;
  off_t data_until_ = 0;
};

}  // namespace shadow::sys
