// SPDX-License-Identifier: MIT
// overlayfs' on-disk format of an upper, in the form that `userxattr` mounts write: the words of
// Documentation/filesystems/overlayfs.rst (whiteout, opaque, origin) and nothing of ours.

#pragma once

#include "shadow/entry.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace shadow::overlay {

// A character device 0:0: the name is deleted.
[[nodiscard]] bool is_whiteout(const Entry& entry);

// A regular file with user.overlay.whiteout in a directory whose opaque attribute is "x": the
// other form of a whiteout, made by tools. `fd` names the file.
[[nodiscard]] bool is_xattr_whiteout(const Entry& entry, int fd);

enum class Opacity : std::uint8_t {
  Merged,         // the lower directory of the same name shows through
  Opaque,         // it does not ("y")
  XattrWhiteouts  // it does, and the directory may hold xattr whiteouts ("x")
};
[[nodiscard]] Opacity opacity(int dirfd);

void make_whiteout(int dirfd, const std::string& name);
void set_opaque(int dirfd);
void clear_opaque(int dirfd);

// Whether a file or directory was copied up (user.overlay.origin present).
[[nodiscard]] bool has_origin(int fd);

// The user.* attributes as the view shows them: overlayfs' own removed, escaped ones
// (user.overlay.overlay.*) unescaped when `in_upper`. Sorted by name.
using Xattrs = std::vector<std::pair<std::string, std::string>>;
enum class Side : std::uint8_t { Upper, Lower };
[[nodiscard]] Xattrs user_xattrs(int fd, Side side);

}  // namespace shadow::overlay
