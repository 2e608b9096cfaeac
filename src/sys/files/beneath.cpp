// SPDX-License-Identifier: MIT
#include "sys/files/beneath.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"

#include <cerrno>

#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shadow::sys {
namespace {

// The kernel takes at most PATH_MAX bytes in one call; longer paths are walked in pieces.
constexpr std::size_t kPiece = 3000;

Fd open_piece(int root, const std::string& path, int flags, mode_t mode) {
  struct open_how how {};
  how.flags = static_cast<unsigned>(flags) | O_CLOEXEC | O_NOFOLLOW;
  how.mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  for (int tries = 0;; ++tries) {
    const long fd = ::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how);
    // EAGAIN: a rename or mount anywhere raced with the walk and the kernel could not prove that
    // it stayed beneath (openat2(2)); to be tried again.
    constexpr int kMostTries = 1000;
    if (fd >= 0 || errno != EAGAIN || tries == kMostTries) {
      return Fd{static_cast<int>(fd)};
    }
  }
}

}  // namespace

Fd try_open_beneath(int root, std::string_view path, int flags, mode_t mode) {
  if (path.empty()) {
    return open_piece(root, ".", flags & ~O_CREAT, mode);
  }
  Fd hold;
  while (path.size() > kPiece) {
    const std::size_t slash = path.rfind('/', kPiece);
    if (slash == std::string_view::npos || slash == 0) {
      errno = ENAMETOOLONG;
      return {};
    }
    hold = open_piece(root, std::string{path.substr(0, slash)}, O_PATH | O_DIRECTORY, 0);
    if (!hold) {
      return {};
    }
    root = hold.get();
    path.remove_prefix(slash + 1);
  }
  return open_piece(root, std::string{path}, flags, mode);
}

Fd open_beneath(int root, std::string_view path, int flags, mode_t mode) {
  Fd fd = try_open_beneath(root, path, flags, mode);
  if (!fd) {
    throw_errno("open " + quoted(path));
  }
  return fd;
}

bool is_missing(int errno_value) {
  return errno_value == ENOENT || errno_value == ENOTDIR || errno_value == ELOOP;
}

ParentAndName open_parent_beneath(int root, std::string_view path) {
  const SplitPath parts = split_path(path);
  return {open_beneath(root, parts.parent, O_PATH | O_DIRECTORY), std::string{parts.name}};
}

bool is_plain_relative(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) {
    return false;
  }
  for (;;) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") {
      return false;
    }
    if (slash == std::string_view::npos) {
      return true;
    }
    path.remove_prefix(slash + 1);
  }
}

SplitPath split_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) {
    return {{}, path};
  }
  return {path.substr(0, slash), path.substr(slash + 1)};
}

std::string join_path(std::string_view parent, std::string_view name) {
  std::string path{parent};
  if (!path.empty() && !name.empty() && path.back() != '/') {
    path += '/';
  }
  path += name;
  return path;
}

}  // namespace shadow::sys
