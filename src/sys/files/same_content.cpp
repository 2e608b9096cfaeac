// SPDX-License-Identifier: MIT
#include "sys/files/same_content.hpp"

#include "sys/files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <unistd.h>

namespace shadow::sys {
namespace {

constexpr std::size_t kCompared = 1U << 17U;

// The next data at or after `at`; the file's size when only a hole is left, or when the filesystem
// cannot tell (then `at` itself).
off_t next_data(int fd, off_t at, off_t size) {
  const off_t data = ::lseek(fd, at, SEEK_DATA);
  if (data >= 0) {
    return data;
  }
  return errno == ENXIO ? size : at;
}

}  // namespace

bool same_content(int a, int b) {
  const off_t size = size_of(a);
  if (size != size_of(b)) {
    return false;
  }
  if (size == 0) {
    return true;
  }
  const auto room = static_cast<std::size_t>(std::min<off_t>(kCompared, size));
  const auto left = std::make_unique_for_overwrite<char[]>(room);
  const auto right = std::make_unique_for_overwrite<char[]>(room);
  off_t at = 0;
  while (at < size) {
    // A common hole needs no reading: a sparse file may be as large as it likes. A file that fits
    // into the buffer is read at once, holes included.
    if (static_cast<std::size_t>(size) > room) {
      at = std::min(next_data(a, at, size), next_data(b, at, size));
    }
    if (at >= size) {
      return true;
    }
    const auto want =
        static_cast<std::size_t>(std::min<off_t>(static_cast<off_t>(room), size - at));
    const std::size_t got = read_at(a, left.get(), want, at);
    if (got != read_at(b, right.get(), want, at) ||
        std::memcmp(left.get(), right.get(), got) != 0) {
      return false;
    }
    if (got == 0) {
      return true;  // both became shorter by the same
    }
    at += static_cast<off_t>(got);
  }
  return true;
}

}  // namespace shadow::sys
