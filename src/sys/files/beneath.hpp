// SPDX-License-Identifier: MIT
// Paths below a directory descriptor, resolved so that no symlink and no ".." on the way can lead
// elsewhere: openat2(2) with RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS. Works for relative paths longer
// than PATH_MAX (in pieces, each piece resolved the same way).

#pragma once

#include "sys/files/fd.hpp"

#include <string>
#include <string_view>

namespace shadow::sys {

// Opens `path` ("" means `root` itself) below `root`. The last component is not followed either.
// Throws SysError; ELOOP when a symlink is in the way, ENOENT, ENOTDIR.
[[nodiscard]] Fd open_beneath(int root, std::string_view path, int flags, mode_t mode = 0);

// The same, empty Fd on failure with errno set.
[[nodiscard]] Fd try_open_beneath(int root, std::string_view path, int flags, mode_t mode = 0);

// True if an open failed because there is nothing at the path (or a symlink on the way). After any
// other failure it is not known what is there.
[[nodiscard]] bool is_missing(int errno_value);

// The directory that holds the last component of a non-empty `path`, and that component.
struct ParentAndName {
  Fd parent;
  std::string name;
};
[[nodiscard]] ParentAndName open_parent_beneath(int root, std::string_view path);

// True if `path` is a valid argument of these functions: relative, non-empty, no empty, "." or ".."
// component.
[[nodiscard]] bool is_plain_relative(std::string_view path);

// "a/b" -> {"a", "b"}; "b" -> {"", "b"}.
struct SplitPath {
  std::string_view parent;
  std::string_view name;
};
[[nodiscard]] SplitPath split_path(std::string_view path);

[[nodiscard]] std::string join_path(std::string_view parent, std::string_view name);

}  // namespace shadow::sys
