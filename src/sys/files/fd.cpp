// SPDX-License-Identifier: MIT
#include "sys/files/fd.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"

#include <array>

#include <unistd.h>

namespace shadow::sys {

void Fd::reset(int fd) {
  if (fd_ >= 0) {
    // EINTR and EIO leave the descriptor closed on Linux (close(2)); a write error that matters is
    // asked for by fsync before.
    ::close(fd_);
  }
  fd_ = fd;
}

Fd try_open_at(int dirfd, const std::string& name, int flags, mode_t mode) {
  return Fd{::openat(dirfd, name.c_str(), flags | O_CLOEXEC, mode)};
}

Fd open_at(int dirfd, const std::string& name, int flags, mode_t mode) {
  Fd fd = try_open_at(dirfd, name, flags, mode);
  if (!fd) {
    throw_errno("open " + quoted(name));
  }
  return fd;
}

Fd open_path(const std::string& path, int flags, mode_t mode) {
  return open_at(AT_FDCWD, path, flags, mode);
}

Fd duplicate(int fd) {
  Fd copy{::fcntl(fd, F_DUPFD_CLOEXEC, 3)};
  if (!copy) {
    throw_errno("duplicate a file descriptor");
  }
  return copy;
}

std::string proc_path(int fd) {
  return "/proc/self/fd/" + std::to_string(fd);
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw_errno("make a pipe");
  }
  return {Fd{ends[0]}, Fd{ends[1]}};
}

}  // namespace shadow::sys
