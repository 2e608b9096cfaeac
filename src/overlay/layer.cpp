// SPDX-License-Identifier: MIT
#include "overlay/layer.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format.hpp"
#include "sys/dir.hpp"
#include "sys/xattr.hpp"

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::overlay {
namespace {

constexpr mode_t kPermissionBits = 07777;
constexpr const char* kMarker = "work/incompat/volatile";

// An ACL that names other users cannot be set by everyone everywhere; the mode bits hold anyway.
void copy_acl(int from, int to, const std::string& name) {
  if (const auto value = sys::get_xattr(from, name)) {
    try {
      sys::set_xattr(to, name, *value);
    } catch (const SysError&) {
      return;
    }
  }
}

void copy_attributes(int lower, int upper) {
  struct stat st {};
  if (::fstat(lower, &st) != 0) {
    throw_errno("look at a directory");
  }
  const std::string path = sys::proc_path(upper);
  if (::chmod(path.c_str(), st.st_mode & kPermissionBits) != 0) {
    throw_errno("set the mode of a layer's root");
  }
  copy_acl(lower, upper, "system.posix_acl_access");
  copy_acl(lower, upper, "system.posix_acl_default");
  for (const auto& [name, value] : user_xattrs(lower, Side::Lower)) {
    if (!name.starts_with("user.overlay.")) {
      sys::set_xattr(upper, name, value);
    }
  }
}

}  // namespace

void create_layer(int dirfd, const std::string& name, int lower) {
  const sys::Fd layer = sys::make_dirs(dirfd, name, S_IRWXU);
  const sys::Fd upper = sys::make_dirs(layer.get(), "upper", S_IRWXU);
  copy_attributes(lower, upper.get());
  sys::make_dirs(layer.get(), "work", S_IRWXU);
}

void clear_volatile_marker(int work) {
  const std::string dirty = std::string{kMarker} + "/dirty";
  if (::unlinkat(work, dirty.c_str(), 0) != 0) {
    if (errno == ENOENT) {
      return;
    }
    // The kernel makes these directories with mode 0.
    for (const char* name : {"work", "work/incompat", kMarker}) {
      (void)::fchmodat(work, name, S_IRWXU, 0);
    }
    if (::unlinkat(work, dirty.c_str(), 0) != 0 && errno != ENOENT) {
      throw_errno("clear the mark of the last mount");
    }
  }
  for (const char* name : {kMarker, "work/incompat"}) {
    if (::unlinkat(work, name, AT_REMOVEDIR) != 0 && errno != ENOENT) {
      throw_errno("clear the mark of the last mount");
    }
  }
}

}  // namespace shadow::overlay
