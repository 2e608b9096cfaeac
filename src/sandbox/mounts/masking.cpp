// SPDX-License-Identifier: MIT
#include "sandbox/mounts/masking.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/setup/place.hpp"
#include "sys/files/beneath.hpp"
#include "sys/namespaces/mount.hpp"

#include <sys/mount.h>
#include <sys/stat.h>

namespace shadow::sandbox {

void mask_paths(const std::string& directory, const std::vector<std::string>& paths) {
  const sys::Fd root = sys::open_path(directory, O_PATH | O_DIRECTORY);
  sys::Fd empty;
  for (const std::string& path : paths) {
    const std::string_view below = path.starts_with('/') ? std::string_view{path}.substr(1) : path;
    const sys::Fd point = sys::try_open_beneath(root.get(), below, O_PATH);
    struct stat st {};
    if (!point || ::fstat(point.get(), &st) != 0) {
      continue;
    }
    // A symbolic link, too, is covered itself: a mount on it is met before it is followed.
    if (!S_ISDIR(st.st_mode)) {
      const sys::Fd null = sys::clone_mount(AT_FDCWD, "/dev/null", sys::Recursive::No);
      sys::attach_mount(null.get(), point.get(), path);
      continue;
    }
    if (!empty) {
      empty = new_tmpfs({"4K", "555"});
      sys::change_mount(empty.get(), "", MOUNT_ATTR_RDONLY, 0, sys::Recursive::No);
      sys::attach_mount(empty.get(), point.get(), path);
      continue;
    }
    const sys::Fd again = sys::clone_mount(empty.get(), "", sys::Recursive::No);
    sys::attach_mount(again.get(), point.get(), path);
  }
}

}  // namespace shadow::sandbox
