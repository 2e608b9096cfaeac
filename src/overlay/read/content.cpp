// SPDX-License-Identifier: MIT
#include "overlay/read/content.hpp"

#include "shadow/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::overlay {
namespace {

constexpr std::size_t kBuffer = 1U << 17U;

off_t size_of(int fd) {
  struct stat st {};
  if (::fstat(fd, &st) != 0) {
    throw_errno("look at a file");
  }
  return st.st_size;
}

// The next data at or after `at`; the file's size when only a hole is left, or when the filesystem
// cannot tell (then `at` itself).
off_t next_data(int fd, off_t at, off_t size) {
  const off_t data = ::lseek(fd, at, SEEK_DATA);
  if (data >= 0) {
    return data;
  }
  return errno == ENXIO ? size : at;
}

std::size_t read_at(int fd, char* into, std::size_t length, off_t at) {
  std::size_t done = 0;
  while (done < length) {
    const ssize_t got = ::pread(fd, into + done, length - done, at + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      throw_errno("read a file");
    }
    if (got == 0) {
      break;
    }
    done += static_cast<std::size_t>(got);
  }
  return done;
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
  const auto room = static_cast<std::size_t>(std::min<off_t>(kBuffer, size));
  const auto left = std::make_unique_for_overwrite<char[]>(room);
  const auto right = std::make_unique_for_overwrite<char[]>(room);
  off_t at = 0;
  while (at < size) {
    // Where both have a hole nothing needs to be read: a sparse file may be as large as it likes.
    // One that the buffer holds is read at once, hole or not.
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

}  // namespace shadow::overlay
