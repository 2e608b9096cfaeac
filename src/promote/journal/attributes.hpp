// SPDX-License-Identifier: MIT
// Extended attributes and ACLs of entries of the project: what an apply gives them, and what an
// undo brings back.

#pragma once

#include "shadow/apply.hpp"

#include "promote/journal/row.hpp"
#include "promote/journal/tree.hpp"

#include <string>

namespace shadow::promote {

// user.* without overlayfs' own, the ACLs under their names (with the ids of
// sys/namespaces/acl.hpp), and for root file capabilities.
[[nodiscard]] Xattrs attributes_of(int fd);
[[nodiscard]] Xattrs attributes_of(const Place& at);

// Those of what the row puts, or sets. The source is the session's entry; an entry of the project
// that it takes the place of has those of the row.
[[nodiscard]] Xattrs attributes_from(int source, const Row& row);
[[nodiscard]] Xattrs wanted_attributes(const ApplyRequest& request, const Step& step,
                                       const Row& row);

// The row's mode, with less for the group where an ACL goes: what was its mask is not the group's.
[[nodiscard]] std::uint32_t mode_with(const Xattrs& wanted, const Row& row);

// Makes the attributes these, and the ACLs such that they fit the mode, which is to be set next.
// Returns the mode that the entry may have: where its filesystem takes no ACLs, one that gives
// nobody more than the ACL would.
[[nodiscard]] std::uint32_t set_attributes(int fd, const Xattrs& wanted, std::uint32_t mode);

// The same for an entry in the tree, which may be one that its mode protects from writing: then the
// mode has `kOwnerWrite` in addition afterwards.
constexpr std::uint32_t kOwnerWrite = 0600;
[[nodiscard]] std::uint32_t set_attributes_of(Tree& tree, const std::string& path, const Entry& now,
                                              const Xattrs& wanted, std::uint32_t mode);

}  // namespace shadow::promote
