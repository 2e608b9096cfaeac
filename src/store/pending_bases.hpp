// SPDX-License-Identifier: MIT
// Rows of the table `pending_bases`: what a refresh was about to do when it changed the upper.

#pragma once

#include "store/bases.hpp"

#include <string>
#include <vector>

namespace shadow::store {

// `row` becomes the base of `path` once the upper has, at `upper_path`, a file of this content, or
// with an empty hash nothing. A row whose entry is Absent means that there will be no base.
struct PendingBase {
  std::string path;
  std::string upper_path;
  std::string upper_hash;
  BaseRow row;
};

// What is asked of the upper; the row itself stays in the database.
struct AwaitedState {
  std::string path;
  std::string upper_path;
  std::string upper_hash;
};

void add_pending_base(Database& db, const std::string& session, const PendingBase& pending);
[[nodiscard]] std::vector<AwaitedState> pending_bases(Database& db, const std::string& session);
// Makes the pending row of the path its base.
void accept_pending_base(Database& db, const std::string& session, const std::string& path);
void clear_pending_bases(Database& db, const std::string& session);

}  // namespace shadow::store
