// SPDX-License-Identifier: MIT
#include "overlay/format/look.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace shadow {

bool same_state(const Entry& a, const Entry& b) {
  return a.kind == b.kind && a.mode == b.mode && a.size == b.size && a.ino == b.ino &&
         a.mtime_ns == b.mtime_ns && a.ctime_ns == b.ctime_ns;
}

const char* to_word(EntryKind kind) {
  switch (kind) {
    case EntryKind::Absent:
      return "absent";
    case EntryKind::File:
      return "file";
    case EntryKind::Symlink:
      return "symlink";
    case EntryKind::Directory:
      return "directory";
    case EntryKind::Fifo:
      return "fifo";
    case EntryKind::Socket:
      return "socket";
    case EntryKind::Device:
      break;
  }
  return "device";
}

}  // namespace shadow

namespace shadow::overlay {
namespace {

EntryKind kind_of(unsigned mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return EntryKind::File;
    case S_IFLNK:
      return EntryKind::Symlink;
    case S_IFDIR:
      return EntryKind::Directory;
    case S_IFIFO:
      return EntryKind::Fifo;
    case S_IFSOCK:
      return EntryKind::Socket;
    default:
      return EntryKind::Device;
  }
}

std::int64_t nanoseconds(const statx_timestamp& time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  // A file's time may be one that nanoseconds since 1970 have no room for: from 2262 on.
  constexpr std::int64_t kMost = INT64_MAX / kSecond - 1;
  return std::clamp(std::int64_t{time.tv_sec}, -kMost, kMost) * kSecond + time.tv_nsec;
}

// False when it is no symlink any more.
bool read_target(int dirfd, const char* name, RareText& target) {
  try {
    // readlinkat(2) takes "" for an O_PATH descriptor of the link itself, as statx does.
    target = sys::read_link_at(dirfd, name);
    return true;
  } catch (const SysError& error) {
    if (error.errno_value() == ENOENT || error.errno_value() == EINVAL) {
      return false;
    }
    throw;
  }
}

Entry look(int dirfd, const char* name, int flags, const std::string& shown) {
  struct statx st {};
  constexpr unsigned kWanted = STATX_BASIC_STATS | STATX_BTIME;
  if (::statx(dirfd, name, flags | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, kWanted, &st) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return {};
    }
    throw_errno("look at " + quoted(shown));
  }
  Entry entry;
  entry.kind = kind_of(st.stx_mode);
  entry.mode = st.stx_mode & kPermissionBits;
  entry.uid = st.stx_uid;
  entry.gid = st.stx_gid;
  entry.nlink = st.stx_nlink;
  entry.size = st.stx_size;
  entry.dev = ::makedev(st.stx_dev_major, st.stx_dev_minor);
  entry.ino = st.stx_ino;
  entry.rdev = ::makedev(st.stx_rdev_major, st.stx_rdev_minor);
  entry.mtime_ns = nanoseconds(st.stx_mtime);
  entry.ctime_ns = nanoseconds(st.stx_ctime);
  entry.btime_ns = (st.stx_mask & STATX_BTIME) != 0 ? nanoseconds(st.stx_btime) : 0;
  if (entry.kind == EntryKind::Symlink && !read_target(dirfd, name, entry.target)) {
    return look(dirfd, name, flags, shown);  // replaced between the two calls
  }
  return entry;
}

}  // namespace

Entry look_at(int dirfd, const std::string& name) {
  return look(dirfd, name.c_str(), 0, name);
}

Entry look_fd(int fd) {
  return look(fd, "", AT_EMPTY_PATH, "a file");
}

Entry look_beneath(int root, std::string_view path) {
  const sys::Fd fd = sys::try_open_beneath(root, path, O_PATH);
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) {
      return {};
    }
    throw_errno("look at " + quoted(path));
  }
  return look_fd(fd.get());
}

Nearest look_nearest(int root, std::string_view path) {
  std::string_view missing;
  for (; !path.empty(); path = sys::split_path(path).parent) {
    Entry entry = look_beneath(root, path);
    if (entry.exists()) {
      const bool in_a_directory = missing.empty() || entry.kind == EntryKind::Directory;
      return {entry, std::string{in_a_directory ? missing : path}};
    }
    missing = path;
  }
  return {look_fd(root), std::string{missing}};
}

}  // namespace shadow::overlay
