// SPDX-License-Identifier: MIT
// Attacks on the mounts that are there: taking them away, moving them, making them writable, or
// looking at what they cover.
#include "attack.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace escape {
namespace {

constexpr const char* kRefused = "EPERM|EINVAL";

std::string scratch(const std::string& name) {
  std::string path = "/tmp/escape-" + name;
  ::mkdir(path.c_str(), S_IRWXU);
  return path;
}

bool exists(const std::string& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0;
}

// The session deleted this file of the real project: whoever sees it looks at the lower directory.
std::string lower_file(const Bait& bait) {
  return bait.text("project") + "/lower-only";
}

std::string umount_each(const Bait& bait, int flags) {
  std::vector<std::string> gone;
  std::vector<Mount> all = mounts();
  std::reverse(all.begin(), all.end());
  for (const Mount& mount : all) {
    if (::umount2(mount.point.c_str(), flags) == 0) {
      gone.push_back(mount.point);
    }
  }
  return exists(lower_file(bait)) ? "LEAK: the real project shows" : held_unless(gone);
}

// Several mounts may have one path; only the topmost is reached by it.
bool on_top(const Mount& mount) {
  struct statx stx {};
  return ::statx(AT_FDCWD, mount.point.c_str(), AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, &stx) == 0 &&
         stx.stx_mnt_id == static_cast<__u64>(mount.id);
}

// What `change` could do to any mount that has the option `option`.
template <class Change>
std::string change_each(const std::string& option, const Change& change) {
  std::vector<std::string> changed;
  for (const Mount& mount : mounts()) {
    if ((option.empty() || mount.has(option)) && on_top(mount) && change(mount)) {
      changed.push_back(mount.point);
    }
  }
  return held_unless(changed);
}

bool clear_attribute(const Mount& mount, std::uint64_t attribute) {
  struct mount_attr attr {};
  attr.attr_clr = attribute;
  return ::mount_setattr(AT_FDCWD, mount.point.c_str(), 0, &attr, sizeof attr) == 0;
}

std::string clear_all_read_only(const Bait& /*bait*/) {
  struct mount_attr attr {};
  attr.attr_clr = MOUNT_ATTR_RDONLY;
  return outcome(::mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &attr, sizeof attr));
}

bool remount_writable(const Mount& mount) {
  return ::mount(nullptr, mount.point.c_str(), nullptr, MS_REMOUNT | MS_BIND, nullptr) == 0;
}

bool remount_filesystem(const Mount& mount) {
  return ::mount("none", mount.point.c_str(), nullptr, MS_REMOUNT, "") == 0;
}

bool reconfigure(const Mount& mount) {
  const int context = ::fspick(AT_FDCWD, mount.point.c_str(), FSPICK_CLOEXEC);
  const bool done = context >= 0 && ::fsconfig(context, FSCONFIG_SET_FLAG, "rw", nullptr, 0) == 0 &&
                    ::fsconfig(context, FSCONFIG_CMD_RECONFIGURE, nullptr, nullptr, 0) == 0;
  if (context >= 0) {
    ::close(context);
  }
  return done;
}

bool move_away(const Mount& mount) {
  return mount.point != "/" &&
         ::mount(mount.point.c_str(), scratch("moved").c_str(), nullptr, MS_MOVE, nullptr) == 0;
}

bool move_mount_away(const Mount& mount) {
  return mount.point != "/" &&
         ::move_mount(AT_FDCWD, mount.point.c_str(), AT_FDCWD, scratch("moved").c_str(), 0) == 0;
}

// A copy of a mount without the mounts on it would uncover what they hide.
std::string bind_without_children(const Bait& bait) {
  std::vector<std::string> uncovered;
  const std::vector<Mount> all = mounts();
  const std::string there = scratch("bind");
  for (const Mount& mount : all) {
    const bool covers = std::any_of(all.begin(), all.end(), [&](const Mount& other) {
      return other.parent == mount.id && other.id != mount.id;
    });
    if (!covers || !on_top(mount)) {
      continue;
    }
    if (::mount(mount.point.c_str(), there.c_str(), nullptr, MS_BIND, nullptr) == 0) {
      uncovered.push_back(mount.point);
      ::umount2(there.c_str(), MNT_DETACH);
    }
    const int copy =
        ::open_tree(AT_FDCWD, mount.point.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    if (copy >= 0) {
      uncovered.push_back(mount.point + " (open_tree)");
      ::close(copy);
    }
  }
  return exists(there + lower_file(bait)) ? "LEAK: the real project shows" : held_unless(uncovered);
}

// With its children a tree may be copied: the copy must be as locked as the first.
std::string write_through_copy(const Bait& bait) {
  const std::string there = scratch("copy");
  if (::mount("/", there.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) {
    return errno_name();
  }
  ::mount(nullptr, there.c_str(), nullptr, MS_REMOUNT | MS_BIND, nullptr);
  ::umount2((there + bait.text("project")).c_str(), MNT_DETACH);
  if (exists(there + lower_file(bait))) {
    return "LEAK: the real project shows";
  }
  return try_open(there + "/etc/shadow-escape", O_WRONLY | O_CREAT);
}

std::string unlock_detached_copy(const Bait& bait) {
  const int copy = ::open_tree(AT_FDCWD, "/", OPEN_TREE_CLONE | AT_RECURSIVE | OPEN_TREE_CLOEXEC);
  if (copy < 0) {
    return errno_name();
  }
  struct mount_attr attr {};
  attr.attr_clr = MOUNT_ATTR_RDONLY;
  const std::string cleared =
      outcome(::mount_setattr(copy, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof attr));
  struct stat st {};
  const bool lower = ::fstatat(copy, lower_file(bait).c_str() + 1, &st, AT_SYMLINK_NOFOLLOW) == 0;
  ::close(copy);
  return lower ? "LEAK: the real project shows" : cleared;
}

std::string pivot_and_drop(const Bait& bait) {
  const std::string root = scratch("pivot");
  const std::string old = root + "/old";
  if (::mount("none", root.c_str(), "tmpfs", 0, nullptr) != 0) {
    return errno_name();
  }
  ::mkdir(old.c_str(), S_IRWXU);
  if (::syscall(SYS_pivot_root, root.c_str(), old.c_str()) != 0) {
    return "pivot_root: " + errno_name();
  }
  // Everything may go away together; nothing below it may come to light.
  for (const Mount& mount : mounts()) {
    if (mount.point.starts_with("/old/") && ::umount2(mount.point.c_str(), MNT_DETACH) == 0) {
      return "LEAK: umount " + mount.point;
    }
  }
  return exists("/old" + lower_file(bait)) ? "LEAK: the real project shows" : "nothing uncovered";
}

std::string make_shared(const Bait& /*bait*/) {
  ::mount(nullptr, "/", nullptr, MS_REC | MS_SHARED, nullptr);
  const std::string there = scratch("shared");
  if (::mount("none", there.c_str(), "tmpfs", 0, nullptr) != 0) {
    return errno_name();
  }
  // Whether it shows outside is what the driver looks at.
  return "only here";
}

std::string leave_chroot(const Bait& bait) {
  const std::string jail = scratch("jail");
  const int outside = ::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (::chroot(jail.c_str()) != 0) {
    return errno_name();
  }
  constexpr int kManyLevels = 64;
  if (::fchdir(outside) != 0) {
    return errno_name();
  }
  for (int level = 0; level < kManyLevels; ++level) {
    if (::chdir("..") != 0) {
      break;
    }
  }
  if (::chroot(".") != 0 || exists(lower_file(bait))) {
    return "LEAK: the real project shows";
  }
  return try_open("/etc/shadow-escape", O_WRONLY | O_CREAT);
}

std::string umount_own_proc(const Bait& bait) {
  if (::umount2("/proc", MNT_DETACH) != 0) {
    return errno_name();
  }
  return exists("/proc/" + bait.text("victim")) ? "LEAK: the host's /proc shows" : "OK";
}

Attack attack(const char* name, const char* how, const char* expected,
              std::function<std::string(const Bait&)> attempt) {
  return {"mounts", name, how, expected, Levels::All, std::move(attempt)};
}

}  // namespace

Attacks mount_attacks() {
  return {attack("unmount every mount", "umount2(MNT_DETACH) of each line of mountinfo", "held",
                 [](const Bait& bait) { return umount_each(bait, MNT_DETACH); }),
          attack("unmount every mount, plainly", "umount2(0) of each", "held",
                 [](const Bait& bait) { return umount_each(bait, 0); }),
          attack("uncover the host's /proc", "umount2(/proc)", kRefused, umount_own_proc),
          attack("clear read-only of every mount",
                 "mount_setattr(clr RDONLY) of each read-only one", "held",
                 [](const Bait&) {
                   return change_each(
                       "ro", [](const Mount& m) { return clear_attribute(m, MOUNT_ATTR_RDONLY); });
                 }),
          attack("clear read-only of the whole tree", "mount_setattr(/, RECURSIVE, clr RDONLY)",
                 kRefused, clear_all_read_only),
          attack("clear read-only by remount", "mount(MS_REMOUNT|MS_BIND) of each read-only one",
                 "held", [](const Bait&) { return change_each("ro", remount_writable); }),
          attack("clear nosuid", "mount_setattr(clr NOSUID) of each", "held",
                 [](const Bait&) {
                   return change_each("nosuid", [](const Mount& m) {
                     return clear_attribute(m, MOUNT_ATTR_NOSUID);
                   });
                 }),
          attack("clear nodev", "mount_setattr(clr NODEV) of each", "held",
                 [](const Bait&) {
                   return change_each("nodev", [](const Mount& m) {
                     return clear_attribute(m, MOUNT_ATTR_NODEV);
                   });
                 }),
          attack("reconfigure every filesystem", "mount(MS_REMOUNT) of each", "held",
                 [](const Bait&) { return change_each("", remount_filesystem); }),
          attack("reconfigure every filesystem, new calls", "fspick, fsconfig(CMD_RECONFIGURE)",
                 "held", [](const Bait&) { return change_each("", reconfigure); }),
          attack("move every mount away", "mount(MS_MOVE) of each", "held",
                 [](const Bait&) { return change_each("", move_away); }),
          attack("move every mount away, new call", "move_mount of each", "held",
                 [](const Bait&) { return change_each("", move_mount_away); }),
          attack("look below the mounts", "bind and open_tree without the mounts on top", "held",
                 bind_without_children),
          attack("write through a copy of the tree", "mount(MS_BIND|MS_REC) of /, remount, write",
                 "EPERM|EROFS|EACCES", write_through_copy),
          attack("make a detached copy writable", "open_tree(CLONE|RECURSIVE), mount_setattr",
                 kRefused, unlock_detached_copy),
          attack("change the root and drop the old one", "pivot_root, umount2 below the old root",
                 "EPERM|nothing uncovered|pivot_root: EINVAL|pivot_root: EPERM|"
                 "pivot_root: ENOENT",
                 pivot_and_drop),
          attack("let mounts reach the host", "mount(MS_SHARED), new tmpfs in /tmp",
                 "EPERM|only here", make_shared),
          attack("leave by a second chroot", "chroot, fchdir, .. 64 times, write /etc",
                 "EPERM|EROFS|EACCES", leave_chroot)};
}

}  // namespace escape
