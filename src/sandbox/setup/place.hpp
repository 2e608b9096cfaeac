// SPDX-License-Identifier: MIT
// Attaching mounts at absolute paths.

#pragma once

#include "sys/files/fd.hpp"

#include <string>

namespace shadow::sandbox {

// A hint for a mount point that cannot be one.
inline constexpr const char* kPutThere =
    "if a run of this session put something else there: shadow discard --yes makes the session "
    "anew (shadow apply first what is to be kept)";

// Opens the directory at an absolute path, no symlink followed on the way: mount points are
// canonical, so a symlink was planted by a run. Missing directories are made (a project below a
// private /tmp or a private home has no parents there yet).
[[nodiscard]] sys::Fd open_mount_point(const std::string& path);

// Attaches a detached mount there.
void attach_at(int mount, const std::string& path);

// A mount point below `root`: a directory, or an empty file, made when missing. No symlink is
// followed. Throws SysError.
[[nodiscard]] sys::Fd make_point(int root, const std::string& path, bool directory);

// A small tmpfs, detached; `options` as in "size=64K".
struct TmpfsOptions {
  std::string size;
  std::string mode;
};
[[nodiscard]] sys::Fd new_tmpfs(const TmpfsOptions& options);

}  // namespace shadow::sandbox
