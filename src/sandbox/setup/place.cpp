// SPDX-License-Identifier: MIT
#include "sandbox/setup/place.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/namespaces/mount.hpp"

#include <cerrno>

#include <sys/mount.h>

namespace shadow::sandbox {

sys::Fd open_mount_point(const std::string& path) {
  const sys::Fd root = sys::open_path("/", O_PATH | O_DIRECTORY);
  const std::string_view below = std::string_view{path}.substr(1);
  sys::Fd point = sys::try_open_beneath(root.get(), below, O_PATH | O_DIRECTORY);
  if (!point && errno == ENOENT) {
    constexpr mode_t kMode = 0755;
    point = sys::make_dirs(root.get(), below, kMode);
  }
  if (!point) {
    throw SysError{errno, "use " + quoted(path) + " as a mount point",
                   "if a run of this session put something else there: shadow discard --yes makes "
                   "the session anew (shadow apply first what is to be kept)"};
  }
  return point;
}

void attach_at(int mount, const std::string& path) {
  const sys::Fd point = open_mount_point(path);
  sys::attach_mount(mount, point.get(), path);
}

sys::Fd new_tmpfs(const TmpfsOptions& options) {
  sys::NewFilesystem tmpfs{"tmpfs"};
  tmpfs.set_string("size", options.size);
  tmpfs.set_string("mode", options.mode);
  return tmpfs.create(MOUNT_ATTR_NOSUID);
}

}  // namespace shadow::sandbox
