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

void set_xattr(int fd, const std::string& name, const std::string& value);
void remove_xattr(int fd, const std::string& name);

}  // namespace shadow::sys
