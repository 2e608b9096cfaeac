// SPDX-License-Identifier: MIT
// The value of system.posix_acl_access and system.posix_acl_default (the form of Linux'
// posix_acl_xattr.h): what a mode says of it, and what it says that a mode cannot.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shadow {

// The bits of a mode that an ACL's mask stands in.
inline constexpr std::uint32_t kGroupClass = 070;

// True if it names a user or group that the reader's user namespace has no id for: getxattr(2) then
// gives -1, which setxattr(2) does not take.
[[nodiscard]] bool names_unmapped_id(std::string_view acl);

// The ACL with these permission bits of owner, of its mask (of the group where it has none) and of
// all others. Set so, it gives nobody anything that the mode does not, at no moment.
[[nodiscard]] std::string acl_with_mode(std::string acl, std::uint32_t mode);

// The ACL in words, as setfacl(1) takes them: "user::rw-,user:1001:r--,...".
[[nodiscard]] std::string acl_text(std::string_view acl);

// The rights of the group class and of all others that it states, as bits of a mode.
[[nodiscard]] std::uint32_t rights_of_others(std::string_view acl);

// True if the two have the same entries beside those that the mode states.
[[nodiscard]] bool same_entries(const std::string& a, const std::string& b);

// The mode of an entry that loses its ACL: the group bits of `mode` are the mask, of which the
// group gets no more than its own entry says.
[[nodiscard]] std::uint32_t mode_without_acl(std::string_view acl, std::uint32_t mode);

// The ACL of an entry that gets another group than it had: the group has no more than all others.
[[nodiscard]] std::string acl_without_group(std::string acl);
[[nodiscard]] std::uint32_t mode_without_group(std::uint32_t mode);

}  // namespace shadow
