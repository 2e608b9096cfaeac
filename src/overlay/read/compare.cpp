// SPDX-License-Identifier: MIT
#include "overlay/read/compare.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/acls.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/quiet_open.hpp"
#include "sys/files/same_content.hpp"

#include <cerrno>

#include <sys/stat.h>

namespace shadow::overlay {
namespace {

[[noreturn]] void throw_stale(const std::string& path) {
  throw StaleError{"cannot compare " + quoted(path) + ": it changed meanwhile", "try again"};
}

// An entry's descriptor and whether it can be read.
struct Opened {
  sys::Fd fd;
  bool readable = false;
};

// A file may be one that nobody may read; its attributes can be compared all the same.
Opened open_entry(int dirfd, const Pair& pair) {
  // O_NONBLOCK: what was a regular file a moment ago may be a FIFO now (and ENXIO means a socket).
  constexpr int kFlags = O_NOFOLLOW | O_NONBLOCK;
  Opened opened{sys::try_open_quietly_at(dirfd, pair.name, O_RDONLY | kFlags), true};
  if (!opened.fd && (errno == EACCES || errno == EPERM)) {
    opened = {sys::try_open_at(dirfd, pair.name, O_PATH | kFlags), false};
  }
  if (opened.fd) {
    return opened;
  }
  if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENXIO) {
    throw_stale(pair.path);
  }
  throw_errno("open " + quoted(pair.path));
}

bool bytes_differ(const Pair& pair, const Opened& upper, const Opened& lower) {
  if (pair.upper.size != pair.lower.size) {
    return true;
  }
  if (pair.upper.size == 0) {
    return false;
  }
  if (!upper.readable || !lower.readable) {
    return true;
  }
  const bool same = sys::same_content(upper.fd.get(), lower.fd.get());
  // After reading: a writer in between is seen by its ctime.
  if (!same_state(look_fd(upper.fd.get()), pair.upper) ||
      !same_state(look_fd(lower.fd.get()), pair.lower)) {
    throw_stale(pair.path);
  }
  return !same;
}

bool has_any(const Attributes& attributes) {
  return !attributes.user.empty() || attributes.access_acl || attributes.default_acl;
}

void compare_attributes(int upper, int lower, Difference& difference) {
  const Attributes above = attributes_of(upper);
  const Attributes below = attributes_of(lower);
  difference.xattrs = above.user != below.user;
  difference.has_attributes = has_any(above) || has_any(below);
  difference.capabilities = above.capabilities && !below.capabilities;
  difference.copied_up = above.origin;
  const Acls real{below.access_acl, below.default_acl};
  if (differ({above.access_acl, above.default_acl}, real)) {
    difference.acls = differ(acls_after(upper, real), real);
  }
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
    // The kernel keeps user.* attributes on files and directories only (xattr(7)).
    case EntryKind::File:
    case EntryKind::Directory: {
      const Opened upper = open_entry(pair.upper_dir, pair);
      const Opened lower = open_entry(pair.lower_dir, pair);
      difference.content = pair.upper.kind == EntryKind::File && bytes_differ(pair, upper, lower);
      compare_attributes(upper.fd.get(), lower.fd.get(), difference);
      break;
    }
    default:
      break;
  }
  difference.mode = pair.upper.mode != pair.lower.mode;
  return difference;
}

std::uint32_t gained_bits(const Entry& upper, const Entry& lower) {
  return upper.mode & ~lower.mode & (S_ISUID | S_ISGID);
}

Difference arriving(Difference difference, const Pair& pair) {
  difference.capabilities = false;
  difference.mode = difference.mode &&
                    (pair.upper.mode & ~gained_bits(pair.upper, pair.lower)) != pair.lower.mode;
  return difference;
}

}  // namespace shadow::overlay
