// SPDX-License-Identifier: MIT
// Extended attributes of what a descriptor names, also of O_PATH descriptors (through /proc).

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shadow::sys {

// nullopt when there is no such attribute or the filesystem has none.
[[nodiscard]] std::optional<std::string> get_xattr(int fd, const std::string& name);

// All names; empty where the filesystem has no attributes.
[[nodiscard]] std::vector<std::string> list_xattrs(int fd);

// The same of the entry `entry` of a directory, not followed: one call instead of an open, two
// calls and a close. No names of an entry that is gone: a run may take it away between two looks.
[[nodiscard]] std::vector<std::string> list_xattrs_at(int dirfd, const std::string& entry);

void set_xattr(int fd, const std::string& name, const std::string& value);
void remove_xattr(int fd, const std::string& name);

}  // namespace shadow::sys
