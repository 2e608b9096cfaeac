// SPDX-License-Identifier: MIT
#include "sandbox/mounts/devices.hpp"

#include "shadow/error.hpp"

#include "sandbox/setup/place.hpp"
#include "sandbox/setup/step.hpp"
#include "sys/namespaces/mount.hpp"

#include <array>
#include <cerrno>
#include <string>

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

struct Link {
  const char* name;
  const char* target;
};

void make_dir(int dir, const char* name) {
  constexpr mode_t kMode = 0755;
  if (::mkdirat(dir, name, kMode) != 0) {
    throw_errno(std::string{"make /dev/"} + name);
  }
}

}  // namespace

DeviceNodes take_device_nodes() {
  DeviceNodes taken;
  for (const char* name : {"null", "zero", "full", "random", "urandom", "tty"}) {
    const std::string path = std::string{"/dev/"} + name;
    if (sys::Fd node = sys::try_clone_mount(AT_FDCWD, path, sys::Recursive::No)) {
      taken.nodes.emplace_back(name, std::move(node));
    } else if (errno != ENOENT) {
      throw_errno("bind " + path);
    }
  }
  return taken;
}

void build_dev(DeviceNodes nodes, const std::string& session) {
  begin_step(Step::CoverDev);
  const sys::Fd dev = new_tmpfs({"64K", "755"});
  {
    // Before anything is put on it: see attach_mount().
    const sys::Fd target = sys::open_path("/dev", O_PATH | O_DIRECTORY);
    sys::attach_mount(dev.get(), target.get(), "/dev");
  }
  for (auto& entry : nodes.nodes) {
    const char* const name = entry.first;
    const sys::Fd node = std::move(entry.second);
    // An ordinary empty file as the mount point: mknod of real devices is refused in a namespace.
    const sys::Fd point = sys::open_at(dev.get(), name, O_WRONLY | O_CREAT | O_EXCL, S_IRUSR);
    sys::attach_mount(node.get(), point.get(), std::string{"/dev/"} + name);
  }
  constexpr std::array kLinks = {Link{"fd", "/proc/self/fd"}, Link{"stdin", "/proc/self/fd/0"},
                                 Link{"stdout", "/proc/self/fd/1"},
                                 Link{"stderr", "/proc/self/fd/2"}, Link{"ptmx", "pts/ptmx"}};
  for (const Link& link : kLinks) {
    if (::symlinkat(link.target, dev.get(), link.name) != 0) {
      throw_errno(std::string{"make /dev/"} + link.name);
    }
  }
  if (::symlinkat(session.c_str(), dev.get(), kSessionMark) != 0) {
    throw_errno("name the session in /dev");
  }
  make_dir(dev.get(), "pts");
  make_dir(dev.get(), "shm");
  // The nodes too, which are the host's own inodes: their owner (a run of root's) could change
  // their modes and times. Reading and writing a device needs no writable mount.
  sys::change_mount(dev.get(), "", MOUNT_ATTR_RDONLY, 0, sys::Recursive::Yes);
  {
    begin_step(Step::Terminals);
    // gid=5 (tty) is no mapped group here, so the slave side belongs to the caller's own group.
    sys::NewFilesystem pts{"devpts"};
    pts.set_string("ptmxmode", "0666");
    pts.set_string("mode", "0620");
    const sys::Fd mount = pts.create(MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
    const sys::Fd point = sys::open_at(dev.get(), "pts", O_PATH | O_DIRECTORY);
    sys::attach_mount(mount.get(), point.get(), "/dev/pts");
  }
  {
    begin_step(Step::SharedMemory);
    const sys::Fd shm = new_tmpfs({"50%", "1777"});
    const sys::Fd point = sys::open_at(dev.get(), "shm", O_PATH | O_DIRECTORY);
    sys::attach_mount(shm.get(), point.get(), "/dev/shm");
  }
}

}  // namespace shadow::sandbox
