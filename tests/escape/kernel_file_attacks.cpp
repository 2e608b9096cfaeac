// SPDX-License-Identifier: MIT
// Attacks on the files that are the kernel's: /proc, /sys, control groups and devices.
#include "attack.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace escape {
namespace {

constexpr std::size_t kEnough = 64;

// Opens everything below `path` for writing; links are not followed, so that each is met once.
void find_writable(const std::string& path, std::vector<std::string>& found) {
  DIR* dir = ::opendir(path.c_str());
  if (dir == nullptr) {
    return;
  }
  while (const dirent* entry = ::readdir(dir)) {
    const std::string name = entry->d_name;
    if (name == "." || name == ".." || found.size() >= kEnough) {
      continue;
    }
    std::string below = path;
    below.append("/").append(name);
    if (entry->d_type == DT_DIR) {
      find_writable(below, found);
    } else if (entry->d_type == DT_REG && ::access(below.c_str(), W_OK) == 0 &&
               try_open(below, O_WRONLY) == "OK") {
      found.push_back(below);
    }
  }
  ::closedir(dir);
}

std::string write_below(const std::string& path) {
  std::vector<std::string> found;
  find_writable(path, found);
  return held_unless(found);
}

std::string write_each(std::initializer_list<const char*> paths) {
  std::vector<std::string> found;
  for (const char* path : paths) {
    if (try_open(path, O_WRONLY) == "OK") {
      found.emplace_back(path);
    }
  }
  return held_unless(found);
}

// What belongs to the run's own namespaces: its next pid, and limits on what is nested in it.
bool is_own_sysctl(const std::string& path) {
  return path == "/proc/sys/kernel/ns_last_pid" ||
         (nested_levels() > 0 && path.starts_with("/proc/sys/user/"));
}

std::string write_sysctls(const Bait& /*bait*/) {
  std::vector<std::string> found;
  find_writable("/proc/sys", found);
  found.erase(std::remove_if(found.begin(), found.end(), is_own_sysctl), found.end());
  return held_unless(found);
}

std::string write_core_pattern(const Bait& /*bait*/) {
  return write_each({"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe",
                     "/proc/sys/kernel/hotplug", "/proc/sys/kernel/poweroff_cmd",
                     "/proc/sys/fs/binfmt_misc/register", "/proc/sys/kernel/usermodehelper/bset"});
}

std::string write_proc(const Bait& /*bait*/) {
  std::vector<std::string> found;
  for (const char* path : {"/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi",
                           "/proc/driver", "/proc/tty", "/proc/dynamic_debug"}) {
    find_writable(path, found);
  }
  for (const char* path : {"/proc/sysrq-trigger", "/proc/mtrr", "/proc/timer_list",
                           "/proc/latency_stats", "/proc/slabinfo", "/proc/kpagecgroup"}) {
    if (try_open(path, O_WRONLY) == "OK") {
      found.emplace_back(path);
    }
  }
  return held_unless(found);
}

std::string read_first(const char* path) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return errno_name();
  }
  char bytes[8];  // some are read in whole words only
  std::string result = outcome(::read(fd, bytes, sizeof bytes));
  ::close(fd);
  return result;
}

// The addresses of the kernel are zeros for those who may not know them.
std::string read_addresses(const Bait& /*bait*/) {
  std::ifstream file{"/proc/kallsyms"};
  std::string line;
  while (std::getline(file, line)) {
    if (line.substr(0, line.find(' ')).find_first_not_of('0') != std::string::npos) {
      return "OK";
    }
  }
  return "held";
}

std::string write_sys(const Bait& /*bait*/) {
  return write_below("/sys");
}

std::string make_cgroups(const Bait& /*bait*/) {
  std::vector<std::string> made;
  for (const Mount& mount : mounts()) {
    if (mount.type == "cgroup" || mount.type == "cgroup2") {
      const std::string group = mount.point + "/shadow-escape";
      if (::mkdir(group.c_str(), S_IRWXU) == 0) {
        ::rmdir(group.c_str());
        made.push_back(group);
      }
    }
  }
  return held_unless(made);
}

// release_agent is a program that the kernel starts, as root, outside.
std::string write_cgroup_files(const Bait& /*bait*/) {
  std::vector<std::string> found;
  for (const Mount& mount : mounts()) {
    if (mount.type != "cgroup" && mount.type != "cgroup2") {
      continue;
    }
    for (const char* name : {"/release_agent", "/notify_on_release", "/cgroup.procs", "/tasks",
                             "/cgroup.subtree_control", "/memory.limit_in_bytes", "/devices.allow",
                             "/cgroup.kill", "/cgroup.freeze"}) {
      if (try_open(mount.point + name, O_WRONLY) == "OK") {
        found.push_back(mount.point + name);
      }
    }
  }
  return held_unless(found);
}

// All that a run needs; nothing else may be in /dev.
constexpr std::array kKnown = {"null",    "zero",   "full", "random", "shadow-session",
                               "urandom", "tty",    "pts",  "shm",    "stdin",
                               "stdout",  "stderr", "fd",   "ptmx"};

std::string list_devices(const Bait& /*bait*/) {
  std::vector<std::string> unknown;
  DIR* dir = ::opendir("/dev");
  while (const dirent* entry = dir != nullptr ? ::readdir(dir) : nullptr) {
    const std::string name = entry->d_name;
    if (name != "." && name != ".." &&
        std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end()) {
      unknown.push_back(name);
    }
  }
  return dir == nullptr ? errno_name() : held_unless(unknown);
}

std::string open_devices(const Bait& bait) {
  std::vector<std::string> opened;
  std::vector<std::string> paths = {bait.text("root-device"),
                                    "/dev/kvm",
                                    "/dev/fuse",
                                    "/dev/net/tun",
                                    "/dev/mem",
                                    "/dev/kmsg",
                                    "/dev/console",
                                    "/dev/tty0",
                                    "/dev/tty1",
                                    "/dev/ttyS0",
                                    "/dev/loop-control",
                                    "/dev/loop0",
                                    "/dev/uinput",
                                    "/dev/vhost-vsock",
                                    "/dev/vsock",
                                    "/dev/vhost-net",
                                    "/dev/port",
                                    "/dev/mapper/control",
                                    "/dev/dri/card0",
                                    "/dev/input/event0",
                                    "/dev/rtc0"};
  for (const std::string& path : paths) {
    if (try_open(path, O_RDWR) == "OK" || try_open(path, O_RDONLY) == "OK") {
      opened.push_back(path);
    }
  }
  return held_unless(opened);
}

std::string change_dev(const Bait& /*bait*/) {
  if (try_open("/dev/shadow-escape", O_WRONLY | O_CREAT) == "OK" || ::unlink("/dev/null") == 0 ||
      ::rename("/dev/null", "/dev/zero") == 0) {
    return "OK";
  }
  return ::chmod("/dev/null", S_IRUSR) == 0 ? "OK" : errno_name();
}

std::string open_host_terminal(const Bait& bait) {
  return try_open(bait.text("terminal"), O_RDWR);
}

std::string leave_memory(const Bait& bait) {
  return try_open("/dev/shm/" + bait.text("shm"), O_RDWR);
}

std::string protect_from_oom(const Bait& /*bait*/) {
  return try_write("/proc/self/oom_score_adj", "-1000");
}

std::string write_own_map(const Bait& /*bait*/) {
  const std::string result = try_write("/proc/self/uid_map", "0 0 4294967295\n");
  return result == "OK" ? try_open("/etc/shadow-escape", O_WRONLY | O_CREAT) : result;
}

std::string map_more_ids(const Bait& /*bait*/) {
  // The helpers of uidmap(1) have file capabilities or setuid bits that must not count.
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, 1);
    ::dup2(null, 2);
    const std::string self = std::to_string(::getppid());
    ::execlp("newuidmap", "newuidmap", self.c_str(), "0", "100000", "65536", nullptr);
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "OK" : "refused";
}

Attack attack(const char* name, const char* how, const char* expected,
              std::function<std::string(const Bait&)> attempt) {
  return {"kernel files", name, how, expected, Levels::All, std::move(attempt)};
}

}  // namespace

Attacks kernel_file_attacks() {
  constexpr const char* kNo = "EROFS|EACCES|EPERM|ENOENT";
  constexpr const char* kUnread = "EACCES|EPERM|ENOENT|EIO";
  return {
      attack("name a program that the kernel starts", "core_pattern, modprobe, binfmt_misc, ...",
             "held", write_core_pattern),
      attack("change a sysctl", "every file below /proc/sys", "held", write_sysctls),
      attack("change the machine by /proc", "sysrq-trigger, irq, bus, fs, mtrr, ...", "held",
             write_proc),
      attack("change the machine by /sys", "every file below /sys", "held", write_sys),
      attack("read the machine's memory", "/proc/kcore", kUnread,
             [](const Bait&) { return read_first("/proc/kcore"); }),
      attack("read the kernel's messages", "/proc/kmsg", kUnread,
             [](const Bait&) { return read_first("/proc/kmsg"); }),
      attack("read the kernel's addresses", "/proc/kallsyms", "open: Information from the kernel",
             read_addresses),
      attack("read the flags of physical pages", "/proc/kpageflags", "open: Reading",
             [](const Bait&) { return read_first("/proc/kpageflags"); }),
      attack("make a control group", "mkdir in every hierarchy", "held", make_cgroups),
      attack("change a control group", "release_agent, cgroup.procs, cgroup.kill, ...", "held",
             write_cgroup_files),
      attack("find another device", "readdir /dev", "held", list_devices),
      attack("open a device", "disk, kvm, fuse, tun, mem, consoles, uinput, ...", "held",
             open_devices),
      attack("change /dev", "create, unlink, rename, chmod", "EROFS|EPERM|EBUSY|EACCES|EXDEV",
             change_dev),
      attack("open another terminal of the caller", "open /dev/pts/N", kNo, open_host_terminal),
      attack("open the host's shared memory", "open /dev/shm/NAME", "ENOENT", leave_memory),
      attack("be safe from the OOM killer", "/proc/self/oom_score_adj -1000", "EACCES|EPERM",
             protect_from_oom),
      attack("map more ids", "uid_map of its own namespace", "EPERM|EACCES|EROFS", write_own_map),
      attack("map more ids with a helper", "newuidmap", "refused", map_more_ids)};
}

}  // namespace escape
