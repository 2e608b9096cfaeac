// SPDX-License-Identifier: MIT
// The overlay of one layer.

#pragma once

#include "shadow/error.hpp"

#include "sys/files/fd.hpp"

#include <string>

namespace shadow::sandbox {

// Creates the overlay of `lower` (O_PATH) and LAYER/{upper,work} as a detached mount, options
// `userxattr` and `volatile` and nothing else. The descriptors must have been opened after the
// mount namespace was made: one opened before belongs to another namespace and the kernel says
// EINVAL. Throws SysError; Error when the kernel made it read-only (upper or work of another
// owner).
[[nodiscard]] sys::Fd mount_overlay(int lower, const std::string& layer);

// Throws Error where the directory `path` lies on a filesystem that the kernel takes for no upper
// (overlayfs, FUSE, NFS), or on one without user.* attributes (tmpfs before Linux 6.6).
void check_upper_filesystem(const std::string& path);

// Why mounting an overlay over this directory failed, found by looking: a mount below it, an upper
// on overlayfs or FUSE, ... Adds cause and advice to the kernel's bare EINVAL, `refusal`; `instead`
// is what else helps than an unmount.
[[noreturn]] void explain_overlay_failure(const std::string& lower, const std::string& layer,
                                          const Error& refusal, const char* instead);

}  // namespace shadow::sandbox
