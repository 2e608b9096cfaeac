// SPDX-License-Identifier: MIT
#include "overlay/stable_read.hpp"

#include "shadow/error.hpp"

#include "overlay/look.hpp"
#include "sys/clock.hpp"
#include "sys/file.hpp"

#include <unistd.h>

namespace shadow::overlay {
namespace {

std::string read_from_start(int fd, std::uint64_t limit) {
  if (::lseek(fd, 0, SEEK_SET) < 0) {
    throw_errno("read a file");
  }
  return sys::read_all(fd, limit);
}

}  // namespace

bool is_young(const Entry& entry) {
  constexpr std::int64_t kLongWrite = 250'000'000;
  return sys::coarse_now_ns() - entry.ctime_ns < kLongWrite;
}

std::optional<std::string> read_stable(int fd, const Entry& reviewed, std::uint64_t limit) {
  constexpr int kMostTries = 3;
  for (int tries = 0; tries < kMostTries; ++tries) {
    if (!same_state(look_fd(fd), reviewed)) {
      return std::nullopt;
    }
    std::string bytes = read_from_start(fd, limit);
    const bool settled = !is_young(reviewed) || read_from_start(fd, limit) == bytes;
    if (settled && bytes.size() == reviewed.size && same_state(look_fd(fd), reviewed)) {
      return bytes;
    }
  }
  return std::nullopt;
}

}  // namespace shadow::overlay
