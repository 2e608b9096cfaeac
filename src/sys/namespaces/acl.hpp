// SPDX-License-Identifier: MIT
// The owner, the group and the POSIX ACLs of what a descriptor names (O_PATH too), with the ids
// that they have outside of this process's own user namespace.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace shadow::sys {

constexpr const char* kAccessAcl = "system.posix_acl_access";
constexpr const char* kDefaultAcl = "system.posix_acl_default";

// `name` is one of the two. nullopt where there is none. Throws SysError.
[[nodiscard]] std::optional<std::string> get_acl(int fd, const std::string& name);
void set_acl(int fd, const std::string& name, const std::string& value);

[[nodiscard]] std::uint32_t user_of(int fd);
[[nodiscard]] std::uint32_t group_of(int fd);

// False when the caller may not give it this group.
[[nodiscard]] bool give_group(int fd, std::uint32_t group);

}  // namespace shadow::sys
