// SPDX-License-Identifier: MIT
#include "sandbox/mounts/runtime_dirs.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/setup/place.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/namespaces/mount.hpp"

#include <cerrno>

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

constexpr mode_t kSticky = 01777;
constexpr mode_t kOrdinary = 0755;

}  // namespace

std::vector<KeptRun> take_run() {
  std::vector<KeptRun> kept;
  for (const char* path :
       {"/run/systemd/resolve", "/run/NetworkManager/resolv.conf", "/run/resolvconf",
        "/run/connman/resolv.conf", "/run/netconfig", "/run/current-system", "/run/booted-system",
        "/run/opengl-driver", "/run/opengl-driver-32"}) {
    struct stat st {};
    // Followed on purpose: on NixOS these are links into the read-only store.
    if (::stat(path, &st) != 0) {
      continue;
    }
    if (sys::Fd mount = sys::try_clone_mount(AT_FDCWD, path, sys::Recursive::Yes)) {
      kept.push_back({path, std::move(mount), S_ISDIR(st.st_mode)});
    }
  }
  return kept;
}

void build_run(const std::vector<KeptRun>& kept) {
  if (!sys::is_real_directory("/run")) {
    return;
  }
  const sys::Fd run = new_tmpfs({"10%", "755"});
  {
    // Before anything is put on it: see attach_mount().
    const sys::Fd target = sys::open_path("/run", O_PATH | O_DIRECTORY);
    sys::attach_mount(run.get(), target.get(), "/run");
  }
  for (const KeptRun& item : kept) {
    const std::string below = item.path.substr(std::string_view{"/run/"}.size());
    sys::Fd point;
    if (item.directory) {
      point = sys::make_dirs(run.get(), below, kOrdinary);
    } else {
      const sys::SplitPath parts = sys::split_path(below);
      const sys::Fd parent = sys::make_dirs(run.get(), parts.parent, kOrdinary);
      point = sys::open_at(parent.get(), std::string{parts.name}, O_WRONLY | O_CREAT, S_IRUSR);
    }
    sys::attach_mount(item.mount.get(), point.get(), item.path);
    sys::change_mount(item.mount.get(), "", MOUNT_ATTR_RDONLY, 0, sys::Recursive::Yes);
  }
  sys::make_dirs(run.get(), "user/" + std::to_string(::geteuid()), S_IRWXU);
  sys::make_dirs(run.get(), "lock", kSticky);
}

}  // namespace shadow::sandbox
