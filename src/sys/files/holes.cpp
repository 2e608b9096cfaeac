// SPDX-License-Identifier: MIT
#include "sys/files/holes.hpp"

#include <algorithm>
#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sys {

HoleFinder::HoleFinder(int fd) : fd_{fd} {
  constexpr off_t kBlock = 512;  // of st_blocks (stat(3type))
  struct stat st {};
  if (::fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_blocks * kBlock < st.st_size) {
    size_ = st.st_size;
    position_ = ::lseek(fd, 0, SEEK_CUR);
  }
}

HoleFinder::~HoleFinder() {
  if (position_ >= 0) {
    ::lseek(fd_, position_, SEEK_SET);  // where the caller left it
  }
}

off_t HoleFinder::length_at(off_t at) {
  if (at < data_until_ || at >= size_) {
    return 0;
  }
  off_t data = ::lseek(fd_, at, SEEK_DATA);
  if (data < 0) {
    data = errno == ENXIO ? size_ : at;  // ENXIO: none follows
  }
  if (data > at) {
    return std::min(data, size_) - at;
  }
  const off_t hole = ::lseek(fd_, at, SEEK_HOLE);
  data_until_ = hole > at ? hole : size_;
  return 0;
}

}  // namespace shadow::sys
