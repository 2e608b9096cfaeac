// SPDX-License-Identifier: MIT
// Rows of the table `made_from`: what the project had, later than the base, when a session's entry
// was made.

#pragma once

#include "store/tables/bases.hpp"

#include <set>
#include <string>
#include <vector>

namespace shadow::store {

// Replaces what was there: of `later`, newest first, one is what the entry at the path was made
// from, and not of `base`, if it was made of any.
void put_made_from(Database& db, const std::string& session, const std::string& path,
                   const Base& base, const std::vector<Base>& later);

// Those of the path, newest first, where they are about this base: an apply, for one, makes another
// one.
[[nodiscard]] std::vector<Base> find_made_from(Database& db, const std::string& session,
                                               const std::string& path, const Base& base);

// The paths that have a row.
[[nodiscard]] std::set<std::string> made_from_paths(Database& db, const std::string& session);

}  // namespace shadow::store
