// SPDX-License-Identifier: MIT
// One look at one name: statx(2) as an Entry.

#pragma once

#include "shadow/entry.hpp"

#include <string>
#include <string_view>

namespace shadow::overlay {

// The entry `name` of `dirfd`, not followed; Absent for ENOENT and ENOTDIR. Throws SysError.
[[nodiscard]] Entry look_at(int dirfd, const std::string& name);

// The entry that the descriptor itself refers to.
[[nodiscard]] Entry look_fd(int fd);

// The entry at a relative path below `root`; Absent as well when a parent is missing, is no
// directory, or is a symlink.
[[nodiscard]] Entry look_beneath(int root, std::string_view path);

// What is nearest to a path, on the way down to it: itself, or what of its parents is there. The
// names of a directory are as old as its change time, so that nothing at the path can have gone
// later than that. `missing` is the first path on the way that is not there, if one is not, or not
// as a directory.
struct Nearest {
  Entry entry;
  std::string missing;
};
[[nodiscard]] Nearest look_nearest(int root, std::string_view path);

}  // namespace shadow::overlay
