// SPDX-License-Identifier: MIT
// Rows of the table `base_attributes`: which extended attributes and ACLs a file of the project had
// as a base.

#pragma once

#include "shadow/entry.hpp"

#include "store/database/database.hpp"

#include <optional>
#include <string>

namespace shadow::store {

// By their hashes; "" where it has none. ACLs count without what the mode tells.
struct BaseAttributes {
  std::string of_user;
  std::string acls;
};

// Those of the project's entry, as the inode is since its change time. Replaces what was there.
void put_base_attributes(Database& db, const std::string& session, const std::string& path,
                         const Entry& real, const BaseAttributes& attributes);

// nullopt where they are not known of just this entry.
[[nodiscard]] std::optional<BaseAttributes> find_base_attributes(Database& db,
                                                                 const std::string& session,
                                                                 const std::string& path,
                                                                 const Entry& base);

// For a path whose attributes in the session are not those of the base and a run's changes any
// more.
void forget_base_attributes(Database& db, const std::string& session, const std::string& path);

}  // namespace shadow::store
