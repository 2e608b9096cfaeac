// SPDX-License-Identifier: MIT
// The mount calls by descriptor (fsopen(2), move_mount(2), mount_setattr(2)), throwing.

#pragma once

#include "sys/files/fd.hpp"

#include <cstdint>
#include <string>

namespace shadow::sys {

// A filesystem being configured. Option calls throw SysError naming filesystem and option, with
// what the kernel says in the context's log where it says anything.
class NewFilesystem {
 public:
  explicit NewFilesystem(const char* type);

  void set_flag(const char* name);
  void set_string(const char* name, const std::string& value);
  // False when the kernel does not take a descriptor for this option (overlayfs before 6.13).
  bool try_set_fd(const char* name, int fd);
  bool try_set_string(const char* name, const std::string& value);

  // Creates the filesystem and a detached mount of it with these MOUNT_ATTR_* attributes.
  [[nodiscard]] Fd create(std::uint64_t attributes);

 private:
  [[noreturn]] void fail(const std::string& doing) const;
  std::string type_;
  Fd context_;
};

enum class Recursive : std::uint8_t { No, Yes };

// A detached copy of the mount at a path (open_tree with OPEN_TREE_CLONE); empty when there is
// nothing at the path.
[[nodiscard]] Fd try_clone_mount(int dirfd, const std::string& path, Recursive recursive);
[[nodiscard]] Fd clone_mount(int dirfd, const std::string& path, Recursive recursive);

// Attaches a detached mount on `target` (not followed if a symlink); `shown` is for the message.
// The mount that `target` lies on has to be attached itself: only Linux 6.15 and later take a mount
// inside a detached one, earlier ones say EINVAL.
void attach_mount(int mount, int target, const std::string& shown);

// Sets and clears MOUNT_ATTR_* of the mount at a path or, with path "", of the descriptor's.
void change_mount(int dirfd, const std::string& path, std::uint64_t set, std::uint64_t clear,
                  Recursive recursive);

// Makes every mount private: nothing that the host mounts later shows up (unmodified) here.
void make_mounts_private();

// Reconfigures the filesystem whose root `root` is, with nothing changed: overlayfs drops its
// unused dentries. By descriptor, and not mount(MS_REMOUNT) of a path: that would reset the mount's
// flags, of whatever the path leads to by then. EINVAL where it is not the root of a mount.
void refresh_mount(int root, const std::string& shown);

}  // namespace shadow::sys
