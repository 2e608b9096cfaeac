// SPDX-License-Identifier: MIT
// Rows of the tables `apply_bases` and `give_backs`: what taking an apply back means for its
// session.

#pragma once

#include "store/tables/bases.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::store {

enum class BaseRole : std::uint8_t {
  Found,   // the session's base before the apply; no row: it had none
  Session  // where the project got a merge: the session's own version
};

void add_apply_base(Database& db, std::int64_t apply, const std::string& path, BaseRole role,
                    const Base& base);
[[nodiscard]] std::optional<Base> find_apply_base(Database& db, std::int64_t apply,
                                                  const std::string& path, BaseRole role);
// The base of the apply or, for an undo, of the apply that it took back, and so on.
[[nodiscard]] std::optional<Base> find_apply_base_behind(Database& db, std::int64_t apply,
                                                         const std::string& path, BaseRole role);
// True if the apply has any. Applies of versions before this table have none.
[[nodiscard]] bool has_apply_bases(Database& db, std::int64_t apply);

void add_give_back(Database& db, const std::string& session, const std::string& path);
// Sorted: parents before what is in them.
[[nodiscard]] std::vector<std::string> give_backs(Database& db, const std::string& session);
void clear_give_backs(Database& db, const std::string& session);

}  // namespace shadow::store
