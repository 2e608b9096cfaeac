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

// The same; where nothing is there, the nearest directory above. Its names are as old as its change
// time, so that nothing at the path can have gone later than that.
[[nodiscard]] Entry look_nearest(int root, std::string_view path);

}  // namespace shadow::overlay
