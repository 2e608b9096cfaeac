// SPDX-License-Identifier: MIT
// Advisory locks by flock(2): they belong to the open file description, so that a forked child
// which keeps the descriptor keeps the lock, and the kernel drops them when the last holder dies.

#pragma once

#include "sys/files/fd.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace shadow::sys {

enum class LockMode : std::uint8_t { Shared, Exclusive };

class FileLock {
 public:
  FileLock() = default;
  explicit FileLock(Fd fd) : fd_{std::move(fd)} {}

  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(fd_); }

  // Changes the mode. Between the two the lock may be lost to another (flock(2) converts by
  // dropping), so a caller that goes from exclusive to shared must hold an outer lock.
  void convert(LockMode mode);
  void unlock() { fd_.reset(); }

 private:
  Fd fd_;
};

// Opens (creates, mode 0600) and locks `name` below `dirfd`, waiting as long as it takes. When the
// file was renamed or removed while waiting, starts again with the new one.
[[nodiscard]] FileLock lock_file_at(int dirfd, const std::string& name, LockMode mode);

// nullopt when another holder is in the way.
[[nodiscard]] std::optional<FileLock> try_lock_file_at(int dirfd, const std::string& name,
                                                       LockMode mode);

// Tries until `patience` has passed; nullopt then.
[[nodiscard]] std::optional<FileLock> lock_file_within(int dirfd, const std::string& name,
                                                       LockMode mode,
                                                       std::chrono::milliseconds patience);

}  // namespace shadow::sys
