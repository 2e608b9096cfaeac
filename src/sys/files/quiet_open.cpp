// SPDX-License-Identifier: MIT
#include "sys/files/quiet_open.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/beneath.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>

namespace shadow::sys {

Fd try_open_quietly_at(int dirfd, const std::string& name, int flags) {
  Fd fd = try_open_at(dirfd, name, flags | O_NOATIME);
  return !fd && errno == EPERM ? try_open_at(dirfd, name, flags) : std::move(fd);
}

Fd try_open_quietly(int root, std::string_view path, int flags) {
  Fd fd = try_open_beneath(root, path, flags | O_NOATIME);
  return !fd && errno == EPERM ? try_open_beneath(root, path, flags) : std::move(fd);
}

Fd open_quietly(int root, std::string_view path, int flags) {
  Fd fd = try_open_quietly(root, path, flags);
  if (!fd) {
    throw_errno("open " + quoted(path));
  }
  return fd;
}

}  // namespace shadow::sys
