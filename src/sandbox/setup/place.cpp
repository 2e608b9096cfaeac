// SPDX-License-Identifier: MIT
#include "sandbox/setup/place.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/namespaces/mount.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

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
    throw SysError{errno, "use " + quoted(path) + " as a mount point", kPutThere};
  }
  return point;
}

void attach_at(int mount, const std::string& path) {
  const sys::Fd point = open_mount_point(path);
  sys::attach_mount(mount, point.get(), path);
}

sys::Fd make_point(int root, const std::string& path, bool directory) {
  if (directory) {
    return sys::make_dirs(root, path, S_IRWXU);
  }
  const sys::SplitPath parts = sys::split_path(path);
  const sys::Fd parent = sys::make_dirs(root, parts.parent, S_IRWXU);
  const std::string name{parts.name};
  const sys::Fd made = sys::try_open_at(parent.get(), name, O_WRONLY | O_CREAT | O_EXCL, S_IRUSR);
  if (!made && errno != EEXIST) {
    throw_errno("make " + quoted(name));
  }
  return sys::open_at(parent.get(), name, O_PATH | O_NOFOLLOW);
}

sys::Fd new_tmpfs(const TmpfsOptions& options) {
  sys::NewFilesystem tmpfs{"tmpfs"};
  tmpfs.set_string("size", options.size);
  tmpfs.set_string("mode", options.mode);
  return tmpfs.create(MOUNT_ATTR_NOSUID);
}

}  // namespace shadow::sandbox
