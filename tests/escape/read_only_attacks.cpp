// SPDX-License-Identifier: MIT
// What a read-only mount does not keep from changes by itself, because the kernel asks the inode
// alone; and newer calls on the mounts.
#include "attack.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fstream>

#include <fcntl.h>
#include <ftw.h>
#include <linux/bpf.h>
#include <linux/sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace escape {
namespace {

// linux/sched.h, mount.h and asm/unistd.h of Debian 12 end before these.
constexpr std::uint64_t kIntoCgroup = 0x200000000U;
constexpr long kOpenTreeAttr = 467;
constexpr unsigned kBeneath = 0x200;

std::string own_group() {
  std::ifstream file{"/proc/self/cgroup"};
  std::string text;
  std::string line;
  while (std::getline(file, line)) {
    text += line + ";";
  }
  return text;
}

std::vector<std::string>& groups() {
  static std::vector<std::string> found;
  return found;
}

int note_group(const char* path, const struct stat* /*st*/, int type, FTW* /*walk*/) {
  constexpr std::size_t kMost = 200;
  if (type == FTW_D && groups().size() < kMost) {
    groups().emplace_back(path);
  }
  return 0;
}

bool starts_in(const std::string& group) {
  const int dir = ::open(group.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct clone_args arguments {};
  arguments.flags = kIntoCgroup;
  arguments.exit_signal = SIGCHLD;
  arguments.cgroup = static_cast<__u64>(dir);
  const std::string before = own_group();
  const long child = ::syscall(SYS_clone3, &arguments, sizeof arguments);
  if (child == 0) {
    ::_exit(own_group() == before ? 0 : 1);
  }
  ::close(dir);
  int status = 0;
  return child > 0 && ::waitpid(static_cast<pid_t>(child), &status, 0) > 0 && status != 0;
}

std::string leave_cgroup(const Bait& /*bait*/) {
  constexpr int kDescriptors = 16;
  for (const Mount& mount : mounts()) {
    if (mount.type == "cgroup2") {
      ::nftw(mount.point.c_str(), note_group, kDescriptors, FTW_PHYS);
    }
  }
  std::vector<std::string> entered;
  for (const std::string& group : groups()) {
    if (starts_in(group)) {
      entered.push_back(group);
    }
  }
  return held_unless(entered);
}

std::string clone_at_all(const Bait& /*bait*/) {
  struct clone_args arguments {};
  arguments.exit_signal = SIGCHLD;
  const long child = ::syscall(SYS_clone3, &arguments, sizeof arguments);
  if (child == 0) {
    ::_exit(0);
  }
  return outcome(child);
}

// A pinned object is opened for writing by whom its mode lets, whatever its mount says.
std::string open_pinned(const Bait& /*bait*/) {
  union bpf_attr attr {};
  const std::string path = "/sys/fs/bpf/shadow-escape";
  attr.pathname = reinterpret_cast<std::uintptr_t>(path.c_str());
  return outcome(::syscall(SYS_bpf, BPF_OBJ_GET, &attr, sizeof attr));
}

std::string copy_writable(const Bait& bait) {
  struct mount_attr attr {};
  attr.attr_clr = MOUNT_ATTR_RDONLY;
  const long copy =
      ::syscall(kOpenTreeAttr, AT_FDCWD, "/", OPEN_TREE_CLONE | AT_RECURSIVE | OPEN_TREE_CLOEXEC,
                &attr, sizeof attr);
  if (copy < 0) {
    return errno_name();
  }
  const std::string lower = bait.text("project").substr(1) + "/lower-only";
  struct stat st {};
  const bool shows =
      ::fstatat(static_cast<int>(copy), lower.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0;
  ::close(static_cast<int>(copy));
  return shows ? "LEAK: the real project shows" : "OK";
}

// One mount slipped in below another, and the upper one taken away.
std::string mount_beneath(const Bait& bait) {
  const std::string there = "/tmp/escape-beneath";
  ::mkdir(there.c_str(), S_IRWXU);
  std::vector<std::string> uncovered;
  for (const Mount& mount : mounts()) {
    if (mount.point == "/" || ::mount("none", there.c_str(), "tmpfs", 0, nullptr) != 0) {
      continue;
    }
    if (::move_mount(AT_FDCWD, there.c_str(), AT_FDCWD, mount.point.c_str(), kBeneath) == 0 &&
        ::umount2(mount.point.c_str(), MNT_DETACH) == 0) {
      uncovered.push_back(mount.point);
    }
    ::umount2(there.c_str(), MNT_DETACH);
  }
  struct stat st {};
  const std::string lower = bait.text("project") + "/lower-only";
  return ::lstat(lower.c_str(), &st) == 0 ? "LEAK: the real project shows" : held_unless(uncovered);
}

Attack attack(const char* name, const char* how, const char* expected,
              std::function<std::string(const Bait&)> attempt) {
  return {"read-only", name, how, expected, Levels::All, std::move(attempt)};
}

}  // namespace

Attacks read_only_attacks() {
  return {
      attack("leave the control groups and their limits",
             "clone3(CLONE_INTO_CGROUP) with every group", "held", leave_cgroup),
      attack("use clone3", "clone3 like fork", "ENOSYS", clone_at_all),
      attack("open a pinned object of the kernel", "bpf(OBJ_GET)", "EPERM", open_pinned),
      attack("make a detached copy writable, in one call", "open_tree_attr(CLONE, clr RDONLY)",
             "EPERM|EINVAL|ENOSYS", copy_writable),
      attack("slip a mount below another", "move_mount(BENEATH), umount2", "held", mount_beneath)};
}

}  // namespace escape
