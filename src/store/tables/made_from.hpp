// SPDX-License-Identifier: MIT
// Rows of the table `made_from`: what the project had, later than the base, when a session's entry
// was made.

#pragma once

#include "store/tables/bases.hpp"

#include <optional>
#include <set>
#include <string>

namespace shadow::store {

// Inserts or replaces: `later` is what the entry at the path was made from, and not of `base`, if
// it was made of either.
void put_made_from(Database& db, const std::string& session, const std::string& path,
                   const Base& base, const Base& later);

// The row of the path, where it is about this base: an apply, for one, makes another one.
[[nodiscard]] std::optional<Base> find_made_from(Database& db, const std::string& session,
                                                 const std::string& path, const Base& base);

// The paths that have a row.
[[nodiscard]] std::set<std::string> made_from_paths(Database& db, const std::string& session);

}  // namespace shadow::store
