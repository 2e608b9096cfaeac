// SPDX-License-Identifier: MIT
// Attacks that make new mounts or reach for namespaces and objects of the host by other handles.
#include "attack.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace escape {
namespace {

std::string scratch() {
  std::string path = "/tmp/escape-new";
  ::mkdir(path.c_str(), S_IRWXU);
  return path;
}

// Filesystems that hold nothing of the host: each mount of them is empty or this namespace's own.
// proc shows a pid namespace of the caller's; binfmt_misc is per user namespace since Linux 6.7.
constexpr std::array kHarmless = {"tmpfs", "ramfs",  "devpts", "proc",        "overlay",
                                  "bpf",   "mqueue", "binder", "binfmt_misc", "fuse"};

std::string mount_each_type(const Bait& bait) {
  std::vector<std::string> mounted;
  std::ifstream known{"/proc/filesystems"};
  std::string line;
  while (std::getline(known, line)) {
    const std::string type = line.substr(line.find('\t') + 1);
    if (std::find(kHarmless.begin(), kHarmless.end(), type) != kHarmless.end()) {
      continue;
    }
    const std::string source = line.starts_with("nodev") ? "none" : bait.text("root-device");
    if (::mount(source.c_str(), scratch().c_str(), type.c_str(), 0, nullptr) == 0) {
      mounted.push_back(type);
      ::umount2(scratch().c_str(), MNT_DETACH);
    }
  }
  return held_unless(mounted);
}

// In the first child of new namespaces, where the mount belongs to them.
template <class Work>
std::string with_new(int flags, const Work& work) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0 || ::unshare(flags) != 0) {
    return errno_name();
  }
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string result = work();
    ::_exit(::write(ends[1], result.data(), result.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  char buffer[512];
  const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
  ::waitpid(child, nullptr, 0);
  return got > 0 ? std::string(buffer, static_cast<std::size_t>(got)) : "nothing";
}

// Owning the files is enough to write control groups, and they have no user namespace.
std::string own_cgroups(const char* type, const char* options) {
  return with_new(CLONE_NEWCGROUP, [&]() -> std::string {
    if (::mount("none", scratch().c_str(), type, 0, options) != 0) {
      return errno_name();
    }
    const std::string group = scratch() + "/shadow-escape";
    if (::mkdir(group.c_str(), S_IRWXU) == 0) {
      ::rmdir(group.c_str());
      return "LEAK: made a control group";
    }
    const std::string wrote = try_write(scratch() + "/cgroup.procs", "0");
    return wrote == "OK" ? "LEAK: moved to another control group" : "mounted, " + wrote;
  });
}

std::string own_proc(const Bait& bait) {
  return with_new(CLONE_NEWPID, [&]() -> std::string {
    if (::mount("none", scratch().c_str(), "proc", 0, nullptr) != 0) {
      return errno_name();
    }
    struct stat st {};
    if (::stat((scratch() + "/" + bait.text("victim")).c_str(), &st) == 0) {
      return "LEAK: the host's processes show";
    }
    const std::string wrote = try_open(scratch() + "/sys/kernel/core_pattern", O_WRONLY);
    const std::string asked = try_open(scratch() + "/sysrq-trigger", O_WRONLY);
    return wrote == "OK" || asked == "OK" ? "LEAK: writable" : "own processes only";
  });
}

std::string own_sysfs(const Bait& /*bait*/) {
  return with_new(CLONE_NEWNET, []() -> std::string {
    if (::mount("none", scratch().c_str(), "sysfs", 0, nullptr) != 0) {
      return errno_name();
    }
    const std::string wrote = try_open(scratch() + "/kernel/uevent_seqnum", O_WRONLY);
    return "LEAK: mounted writable, " + wrote;
  });
}

std::string upper_of_project(const Bait& bait) {
  for (const Mount& mount : mounts()) {
    if (mount.point == bait.text("project") && mount.type == "overlay") {
      const std::size_t at = mount.super.find("upperdir=");
      return at == std::string::npos
                 ? ""
                 : mount.super.substr(at + 9, mount.super.find(',', at) - at - 9);
    }
  }
  return {};
}

// Two mounts of one upper corrupt it.
std::string second_mount_of_upper(const Bait& bait) {
  std::string upper = upper_of_project(bait);
  if (upper.empty()) {
    upper = bait.text("upper");
  }
  const std::string work = upper.substr(0, upper.rfind('/')) + "/work";
  const std::string options =
      "userxattr,lowerdir=" + bait.text("project") + ",upperdir=" + upper + ",workdir=" + work;
  struct stat st {};
  if (::stat(upper.c_str(), &st) == 0) {
    return "LEAK: " + upper + " shows";
  }
  return outcome(::mount("none", scratch().c_str(), "overlay", 0, options.c_str()));
}

std::string idmapped_project(const Bait& bait) {
  const int self = ::open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
  const int copy = ::open_tree(AT_FDCWD, bait.text("project").c_str(), OPEN_TREE_CLONE);
  if (copy < 0) {
    return errno_name();
  }
  struct mount_attr attr {};
  attr.attr_set = MOUNT_ATTR_IDMAP;
  attr.userns_fd = static_cast<__u64>(self);
  return outcome(::mount_setattr(copy, "", AT_EMPTY_PATH, &attr, sizeof attr));
}

std::string parent_namespaces(const Bait& /*bait*/) {
  std::vector<std::string> reached;
  for (const char* name : {"user", "pid"}) {
    const std::string path = std::string{"/proc/self/ns/"} + name;
    int at = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    // The run's own namespace is a legitimate parent of one nested in it; what is above is not.
    const int own = std::strcmp(name, "user") == 0 ? nested_levels() : 0;
    for (int level = 0; level <= own && at >= 0; ++level) {
      at = ::ioctl(at, NS_GET_PARENT);
    }
    if (at >= 0) {
      reached.push_back(path);
    }
  }
  return held_unless(reached);
}

std::string owner_of_namespaces(const Bait& bait) {
  std::vector<std::string> reached;
  for (const char* name : {"net", "cgroup", "time"}) {
    const std::string path = std::string{"/proc/self/ns/"} + name;
    const int at = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const int owner = at >= 0 ? ::ioctl(at, NS_GET_USERNS) : -1;
    // With a network of its own that one belongs to the run.
    if (owner >= 0 && !(std::strcmp(name, "net") == 0 && bait.text("net") == "none")) {
      reached.push_back(path);
    }
  }
  return held_unless(reached);
}

struct NsId {  // linux/mount.h, struct mnt_id_req of Linux 6.11
  std::uint32_t size;
  std::uint32_t spare;
  std::uint64_t mount_id;
  std::uint64_t param;
  std::uint64_t namespace_id;
};

std::string list_host_mounts(const Bait& bait) {
  constexpr long kListmount = 458;
  constexpr std::uint64_t kRoot = ~std::uint64_t{0};  // LSMT_ROOT
  NsId request{sizeof(NsId), 0, kRoot, 0,
               static_cast<std::uint64_t>(std::stoull(bait.text("host-mntns-id")))};
  std::array<std::uint64_t, 8> ids{};
  return outcome(::syscall(kListmount, &request, ids.data(), ids.size(), 0));
}

std::vector<unsigned char> handle_bytes(const std::string& hex) {
  std::vector<unsigned char> bytes;
  constexpr int kHex = 16;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes.push_back(static_cast<unsigned char>(std::stoi(hex.substr(at, 2), nullptr, kHex)));
  }
  return bytes;
}

// The handle, taken outside, of a file of the real project that the view does not show.
std::string open_by_handle(const Bait& bait) {
  std::vector<unsigned char> handle = handle_bytes(bait.text("handle"));
  std::vector<std::string> opened;
  std::vector<std::string> roots = {
      "/", "/usr", "/etc", "/tmp", "/var/tmp", bait.text("project"), bait.text("home")};
  for (const std::string& path : roots) {
    const int root = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int copy = ::open_tree(AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    for (const int at : {root, copy}) {
      if (at >= 0 && ::open_by_handle_at(at, reinterpret_cast<file_handle*>(handle.data()),
                                         O_RDONLY | O_CLOEXEC) >= 0) {
        opened.push_back(path);
      }
    }
  }
  return held_unless(opened);
}

// Linux 6.18 opens namespaces by handle; the first ones of a kernel have fixed numbers.
std::string namespace_by_handle(const Bait& /*bait*/) {
  struct {
    unsigned bytes;
    int type;
    std::uint64_t id;
    std::uint32_t kind;
    std::uint32_t inode;
  } handle{};
  constexpr int kNsfsRoot = -10003;
  constexpr int kNsfsHandle = 0xf1;
  constexpr std::uint64_t kFixedIds = 9;
  constexpr std::uint32_t kFirstFixedInode = 0xEFFFFFF0U;
  std::vector<std::string> opened;
  for (std::uint64_t id = 1; id < kFixedIds; ++id) {
    for (std::uint32_t inode = 0; inode < 16; ++inode) {
      for (const int kind : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWIPC}) {
        handle = {16, kNsfsHandle, id, static_cast<std::uint32_t>(kind), kFirstFixedInode + inode};
        const int fd = ::open_by_handle_at(kNsfsRoot, reinterpret_cast<file_handle*>(&handle),
                                           O_RDONLY | O_CLOEXEC);
        if (fd >= 0) {
          opened.push_back(std::to_string(id));
        }
      }
    }
  }
  return held_unless(opened);
}

Attack attack(const char* name, const char* how, const char* expected,
              std::function<std::string(const Bait&)> attempt) {
  return {"new mounts", name, how, expected, Levels::All, std::move(attempt)};
}

}  // namespace

Attacks new_mount_attacks() {
  return {
      attack("mount each kind of filesystem", "mount of all of /proc/filesystems, disk included",
             "held", mount_each_type),
      attack("write control groups (v2)", "unshare(NEWCGROUP), mount cgroup2, mkdir",
             "EPERM|ENOSPC|mounted, EACCES",
             [](const Bait&) { return own_cgroups("cgroup2", ""); }),
      attack("write control groups (v1 freezer)", "unshare(NEWCGROUP), mount cgroup, mkdir",
             "EPERM|ENOSPC|mounted, EACCES",
             [](const Bait&) { return own_cgroups("cgroup", "freezer"); }),
      attack("a /proc of one's own", "unshare(NEWPID), mount proc, look for the host, write sys",
             "EPERM|own processes only", own_proc),
      attack("a /sys of one's own", "unshare(NEWNET), mount sysfs writable", "EPERM", own_sysfs),
      attack("mount the session's upper a second time", "overlay with its upperdir and workdir",
             "EPERM|ENOENT", second_mount_of_upper),
      attack("map other ids onto the project", "open_tree, mount_setattr(IDMAP)", "EPERM|EINVAL",
             idmapped_project),
      attack("enter namespaces above", "ioctl(NS_GET_PARENT) up from user and pid", "held",
             parent_namespaces),
      attack("enter the owner of shared namespaces", "ioctl(NS_GET_USERNS) of net, cgroup, time",
             "held", owner_of_namespaces),
      attack("list the host's mounts", "listmount with the id of the host's mount namespace",
             "EPERM|ENOENT|ENOSYS|EINVAL", list_host_mounts),
      attack("open a real file by its handle", "open_by_handle_at through every mount and copies",
             "held", open_by_handle),
      attack("open the host's namespaces by handle", "open_by_handle_at(FD_NSFS_ROOT)", "held",
             namespace_by_handle)};
}

}  // namespace escape
