// SPDX-License-Identifier: MIT
// Directories through descriptors: listing, and removing a tree without leaving it.

#pragma once

#include "sys/files/fd.hpp"

#include <string>
#include <vector>

namespace shadow::sys {

struct DirEntry {
  std::string name;
  unsigned char type;  // DT_*; DT_UNKNOWN where the filesystem does not tell
};

// All names but "." and "..", in the order of the filesystem. Throws SysError.
[[nodiscard]] std::vector<DirEntry> list_dir(int dirfd);

// True if the directory has no entries; stops reading at the first one. Throws SysError.
[[nodiscard]] bool is_empty_dir(int dirfd);

// True if there is a directory at this path, not a link to one.
[[nodiscard]] bool is_real_directory(const std::string& path);

// As list_dir, sorted bytewise by name.
[[nodiscard]] std::vector<DirEntry> list_dir_sorted(int dirfd);

// Removes `name` below `dirfd` with everything in it, of any depth. Never follows a symlink and
// never crosses into what a racing process moved in place of a directory (each level is opened
// O_NOFOLLOW). Directories that deny access to their owner (the kernel's work/work has mode 0) are
// given it first. A name that does not exist is fine.
void remove_tree(int dirfd, const std::string& name);

// mkdir -p relative to `dirfd`; existing directories are left as they are, symlinks refused.
// Returns the last directory, opened O_PATH.
Fd make_dirs(int dirfd, std::string_view path, mode_t mode);

}  // namespace shadow::sys
