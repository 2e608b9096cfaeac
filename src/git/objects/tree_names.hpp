// SPDX-License-Identifier: MIT
// Names in a tree that are git's own files to some filesystem.

#pragma once

#include <cstdint>
#include <string_view>

namespace shadow::git {

// True if a filesystem that folds case, ignores some characters (HFS+) or knows short names (NTFS)
// would take `name` for `.git`.
[[nodiscard]] bool is_dot_git(std::string_view name);

// The same for one of git's own files. Where a backslash separates directories, the name may stand
// behind one.
enum class DotFile : std::uint8_t { Modules, Attributes };
[[nodiscard]] bool is_dot_file(std::string_view name, DotFile which);

}  // namespace shadow::git
