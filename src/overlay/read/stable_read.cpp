// SPDX-License-Identifier: MIT
#include "overlay/read/stable_read.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/file.hpp"

#include <unistd.h>

namespace shadow::overlay {
namespace {

// The file from its start: `size` bytes, one more where it has become longer.
std::string read_whole(int fd, std::uint64_t size) {
  std::string bytes(size + 1, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const std::size_t wanted = bytes.size() - filled;
    const ssize_t got = ::pread(fd, bytes.data() + filled, wanted, static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      throw_errno("read a file");
    }
    filled += static_cast<std::size_t>(got);
    // A regular file's end: saves a call for each of many small files.
    if (static_cast<std::size_t>(got) < wanted && filled <= size) {
      break;
    }
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace

bool is_young(const Entry& entry) {
  constexpr std::int64_t kLongWrite = 250'000'000;
  return sys::coarse_now_ns() - entry.ctime_ns < kLongWrite;
}

std::optional<std::string> read_stable(int fd, const Entry& reviewed, std::uint64_t limit) {
  if (reviewed.size > limit) {
    throw Error{"cannot read a file: it is too large"};
  }
  constexpr int kMostTries = 3;
  for (int tries = 0; tries < kMostTries; ++tries) {
    if (!same_state(look_fd(fd), reviewed)) {
      return std::nullopt;
    }
    std::string bytes = read_whole(fd, reviewed.size);
    const bool settled = !is_young(reviewed) || read_whole(fd, reviewed.size) == bytes;
    if (settled && bytes.size() == reviewed.size && same_state(look_fd(fd), reviewed)) {
      return bytes;
    }
  }
  return std::nullopt;
}

void throw_changed_meanwhile(std::string_view task, const std::string& path) {
  throw StaleError{std::string{task} + ' ' + quoted(path) + ": it changed meanwhile",
                   "look at the changes again",
                   ExitCode::Refused,
                   {path}};
}

}  // namespace shadow::overlay
