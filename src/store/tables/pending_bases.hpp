// SPDX-License-Identifier: MIT
// Rows of the table `pending_bases`: what a refresh was about to do when it changed the upper.

#pragma once

#include "store/tables/bases.hpp"

#include <string>
#include <vector>

namespace shadow::store {

// `base` becomes that of `path` once the upper has, at `upper_path`, a file of this content, or
// with an empty hash nothing. Its content, if it is stored, is known by the hash.
struct PendingBase {
  std::string path;
  std::string upper_path;
  std::string upper_hash;
  Base base;
};

void add_pending_base(Database& db, const std::string& session, const PendingBase& pending);
[[nodiscard]] std::vector<PendingBase> pending_bases(Database& db, const std::string& session);
void clear_pending_bases(Database& db, const std::string& session);

}  // namespace shadow::store
