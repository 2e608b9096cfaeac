// SPDX-License-Identifier: MIT
#include "sandbox/mounts/temporary_dirs.hpp"

#include "shadow/error.hpp"

#include "sandbox/mounts/own_layer.hpp"
#include "sandbox/setup/place.hpp"
#include "sys/files/dir.hpp"
#include "sys/namespaces/mount.hpp"

#include <optional>
#include <utility>

#include <sys/mount.h>
#include <sys/stat.h>

namespace shadow::sandbox {
namespace {

constexpr const char* kTmp = "tmp";
constexpr const char* kVarTmp = "var-tmp";

void make_sticky(const sys::Fd& layer, const char* name) {
  constexpr mode_t kOpenToAll = 01777;
  const sys::Fd dir = sys::make_dirs(layer.get(), std::string{"upper/"} + name, kOpenToAll);
  // make_dirs is subject to the umask; a run that changed the mode finds /tmp as it ought to be.
  ::chmod(sys::proc_path(dir.get()).c_str(), kOpenToAll);
}

// nullopt when the kernel copies no part of this mount.
std::optional<TemporaryDirs> try_parts(const sys::Fd& whole) {
  TemporaryDirs dirs;
  dirs.tmp = sys::try_clone_mount(whole.get(), kTmp, sys::Recursive::No);
  if (!dirs.tmp) {
    return std::nullopt;
  }
  dirs.var_tmp = sys::clone_mount(whole.get(), kVarTmp, sys::Recursive::No);
  return dirs;
}

void attach(const sys::Fd& mount, const char* path) {
  sys::change_mount(mount.get(), "", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0, sys::Recursive::No);
  attach_at(mount.get(), path);
}

}  // namespace

TemporaryDirs take_temporary_dirs(const std::string& session_directory) {
  const sys::Fd session = sys::open_path(session_directory, sys::kDirPath);
  {
    const sys::Fd layer = make_own_layer(session.get(), kTemporaryLayer);
    make_sticky(layer, kTmp);
    make_sticky(layer, kVarTmp);
  }
  const sys::Fd whole = mount_own_layer(session_directory, kTemporaryLayer);
  if (auto dirs = try_parts(whole)) {
    return std::move(*dirs);
  }
  // Linux before 6.15 copies no part of a mount that is not attached. Over the session's own
  // directory, for the moment, nobody meets it.
  sys::attach_mount(whole.get(), session.get(), session_directory);
  auto dirs = try_parts(whole);
  if (!dirs || ::umount2(session_directory.c_str(), MNT_DETACH | UMOUNT_NOFOLLOW) != 0) {
    throw_errno("make the session's temporary directories");
  }
  return std::move(*dirs);
}

void build_temporary_dirs(const TemporaryDirs& dirs) {
  if (sys::is_real_directory("/tmp")) {
    attach(dirs.tmp, "/tmp");
  }
  // If /var/tmp is a link to /tmp, it is private already.
  if (sys::is_real_directory("/var/tmp")) {
    attach(dirs.var_tmp, "/var/tmp");
  }
}

}  // namespace shadow::sandbox
