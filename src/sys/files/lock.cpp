// SPDX-License-Identifier: MIT
#include "sys/files/lock.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/clock.hpp"

#include <cerrno>
#include <ctime>

#include <sys/file.h>
#include <sys/stat.h>

namespace shadow::sys {
namespace {

int operation(LockMode mode) {
  return mode == LockMode::Shared ? LOCK_SH : LOCK_EX;
}

// True if the name still leads to the locked file, which may have been renamed (discard) while this
// process waited.
bool still_there(int dirfd, const std::string& name, int fd) {
  struct stat here {};
  struct stat held {};
  return ::fstatat(dirfd, name.c_str(), &here, AT_SYMLINK_NOFOLLOW) == 0 &&
         ::fstat(fd, &held) == 0 && here.st_ino == held.st_ino && here.st_dev == held.st_dev;
}

std::optional<FileLock> lock(int dirfd, const std::string& name, int flock_operation) {
  for (;;) {
    Fd fd = open_at(dirfd, name, O_RDWR | O_CREAT | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    while (::flock(fd.get(), flock_operation) != 0) {
      if (errno == EWOULDBLOCK) {
        return std::nullopt;
      }
      if (errno != EINTR) {
        throw_errno("lock " + quoted(name));
      }
    }
    if (still_there(dirfd, name, fd.get())) {
      return FileLock{std::move(fd)};
    }
  }
}

}  // namespace

void FileLock::convert(LockMode mode) {
  while (::flock(fd_.get(), operation(mode)) != 0) {
    if (errno != EINTR) {
      throw_errno("change a lock");
    }
  }
}

FileLock lock_file_at(int dirfd, const std::string& name, LockMode mode) {
  return *lock(dirfd, name, operation(mode));
}

std::optional<FileLock> try_lock_file_at(int dirfd, const std::string& name, LockMode mode) {
  return lock(dirfd, name, operation(mode) | LOCK_NB);
}

std::optional<FileLock> lock_file_within(int dirfd, const std::string& name, LockMode mode,
                                         std::chrono::milliseconds patience) {
  constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;
  const std::int64_t end = monotonic_ns() + patience.count() * kNanosecondsPerMillisecond;
  for (;;) {
    if (auto held = try_lock_file_at(dirfd, name, mode)) {
      return held;
    }
    if (monotonic_ns() >= end) {
      return std::nullopt;
    }
    const timespec pause{0, 2 * kNanosecondsPerMillisecond};
    ::nanosleep(&pause, nullptr);
  }
}

}  // namespace shadow::sys
