// SPDX-License-Identifier: MIT
// Ownership of a file descriptor. Every descriptor in this program is close-on-exec.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>

namespace shadow::sys {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_{fd} {}
  Fd(const Fd&) = delete;
  Fd(Fd&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
  Fd& operator=(const Fd&) = delete;
  Fd& operator=(Fd&& other) noexcept {
    reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~Fd() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] explicit operator bool() const { return fd_ >= 0; }
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

// A directory to look things up in: it needs no right to read, and is no link's target.
inline constexpr int kDirPath = O_PATH | O_DIRECTORY | O_NOFOLLOW;

// Opens relative to `dirfd` (AT_FDCWD allowed), O_CLOEXEC added. Throws SysError "cannot open 'x'".
[[nodiscard]] Fd open_at(int dirfd, const std::string& name, int flags, mode_t mode = 0);
[[nodiscard]] Fd open_path(const std::string& path, int flags, mode_t mode = 0);

// The same, but an empty Fd instead of an exception; errno says why.
[[nodiscard]] Fd try_open_at(int dirfd, const std::string& name, int flags, mode_t mode = 0);

[[nodiscard]] Fd duplicate(int fd);

// "/proc/self/fd/N": the name by which calls without an AT_EMPTY_PATH form reach a descriptor.
[[nodiscard]] std::string proc_path(int fd);

// A close-on-exec pipe.
struct Pipe {
  Fd read_end;
  Fd write_end;
};
[[nodiscard]] Pipe make_pipe();

}  // namespace shadow::sys
