// SPDX-License-Identifier: MIT
#include "overlay/compare.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format.hpp"
#include "overlay/look.hpp"
#include "overlay/scan.hpp"
#include "sys/fd.hpp"

#include <cerrno>

namespace shadow::overlay {
namespace {

[[noreturn]] void throw_stale(const std::string& path) {
  throw StaleError{"cannot compare " + quoted(path) + ": it changed meanwhile", "try again"};
}

sys::Fd open_entry(int dirfd, const Pair& pair, int flags) {
  // O_NONBLOCK: what was a regular file a moment ago may be a FIFO now (and ENXIO means a socket).
  sys::Fd fd = sys::try_open_at(dirfd, pair.name, flags | O_NOFOLLOW | O_NONBLOCK);
  if (fd || errno == EACCES || errno == EPERM) {
    return fd;
  }
  if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENXIO) {
    throw_stale(pair.path);
  }
  throw_errno("open " + quoted(pair.path));
}

bool bytes_differ(const Pair& pair) {
  if (pair.upper.size != pair.lower.size) {
    return true;
  }
  if (pair.upper.size == 0) {
    return false;
  }
  const sys::Fd upper = open_entry(pair.upper_dir, pair, O_RDONLY);
  const sys::Fd lower = open_entry(pair.lower_dir, pair, O_RDONLY);
  if (!upper || !lower) {
    return true;
  }
  const bool same = same_content(upper.get(), lower.get());
  // After reading: a writer in between is seen by its ctime.
  if (!same_state(look_fd(upper.get()), pair.upper) ||
      !same_state(look_fd(lower.get()), pair.lower)) {
    throw_stale(pair.path);
  }
  return !same;
}

// The kernel keeps user.* attributes on files and directories only (xattr(7)).
bool has_user_xattrs(EntryKind kind) {
  return kind == EntryKind::File || kind == EntryKind::Directory;
}

bool xattrs_differ(const Pair& pair) {
  const sys::Fd upper = open_entry(pair.upper_dir, pair, O_PATH);
  const sys::Fd lower = open_entry(pair.lower_dir, pair, O_PATH);
  return !upper || !lower || user_xattrs(upper.get()) != user_xattrs(lower.get());
}

}  // namespace

Difference compare(const Pair& pair) {
  Difference difference;
  switch (pair.upper.kind) {
    case EntryKind::Symlink:
      difference.content = pair.upper.target != pair.lower.target;
      return difference;  // the mode of a symlink means nothing
    case EntryKind::Device:
      difference.content = pair.upper.rdev != pair.lower.rdev;
      break;
    case EntryKind::File:
      difference.content = bytes_differ(pair);
      break;
    default:
      break;
  }
  difference.mode = pair.upper.mode != pair.lower.mode;
  difference.xattrs = has_user_xattrs(pair.upper.kind) && xattrs_differ(pair);
  return difference;
}

}  // namespace shadow::overlay
