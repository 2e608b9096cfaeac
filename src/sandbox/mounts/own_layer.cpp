// SPDX-License-Identifier: MIT
#include "sandbox/mounts/own_layer.hpp"

#include "shadow/error.hpp"

#include "sandbox/mounts/overlay_mount.hpp"
#include "sys/files/dir.hpp"

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

constexpr const char* kLower = "lower";
constexpr const char* kUpper = "upper";
constexpr const char* kWork = "work";

bool is_there(int dir, const char* name) {
  return ::faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

void make_upper(int session, const sys::Fd& layer, const char* former) {
  if (is_there(layer.get(), kUpper) || ::renameat(session, former, layer.get(), kUpper) == 0) {
    return;
  }
  if (errno != ENOENT) {
    throw_errno(std::string{"keep the session's "} + former);
  }
  sys::make_dirs(layer.get(), kUpper, S_IRWXU);
}

}  // namespace

sys::Fd make_own_layer(int session, const OwnLayer& layer) {
  sys::Fd made = sys::make_dirs(session, layer.name, S_IRWXU);
  if (!is_there(made.get(), kWork)) {  // which comes last: where it is, the others are
    sys::make_dirs(made.get(), kLower, S_IRWXU);
    make_upper(session, made, layer.former);
    sys::make_dirs(made.get(), kWork, S_IRWXU);
  }
  return made;
}

sys::Fd mount_own_layer(const std::string& session_directory, const OwnLayer& layer) {
  const sys::Fd session = sys::open_path(session_directory, O_PATH | O_DIRECTORY);
  const sys::Fd made = make_own_layer(session.get(), layer);
  const sys::Fd lower = sys::open_at(made.get(), kLower, sys::kDirPath);
  return mount_overlay(lower.get(), session_directory + "/" + layer.name);
}

}  // namespace shadow::sandbox
