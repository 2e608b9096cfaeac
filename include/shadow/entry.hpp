// SPDX-License-Identifier: MIT
// The facts about one name in a tree at one moment, as lstat(2) tells them.

#pragma once

#include "shadow/rare_text.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace shadow {

// The type of a file, or Absent where there is none.
enum class EntryKind : std::uint8_t { Absent, File, Symlink, Directory, Fifo, Socket, Device };

// Rights of owner, group and others, set-user-ID, set-group-ID, and sticky.
inline constexpr std::uint32_t kPermissionBits = 07777;

// One name. Times are nanoseconds since the epoch, from the filesystem's own clock. `mode` holds
// the permission bits only (kPermissionBits). `target` is filled for symlinks, `rdev` for devices.
struct Entry {
  EntryKind kind = EntryKind::Absent;
  std::uint32_t mode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t nlink = 0;
  std::uint64_t size = 0;
  std::uint64_t dev = 0;
  std::uint64_t ino = 0;
  std::uint64_t rdev = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::int64_t btime_ns = 0;  // 0 where the filesystem does not keep it
  RareText target;

  // False where nothing has the name.
  [[nodiscard]] bool exists() const { return kind != EntryKind::Absent; }
};

// Extended attributes by their names, ACLs among them (system.posix_acl_access and _default).
using Xattrs = std::map<std::string, std::string>;

// True if both looks saw the same inode in the same state: inode, size, mtime, ctime, mode. The
// device is left out, because it changes when a filesystem is mounted again.
[[nodiscard]] bool same_state(const Entry& a, const Entry& b);

// "file", "symlink", "directory", ... for messages and --json.
[[nodiscard]] const char* to_word(EntryKind kind);

}  // namespace shadow
