// SPDX-License-Identifier: MIT
// Rows of the table `shown`: what a review showed of each path, and when.

#pragma once

#include "base/digest.hpp"
#include "store/database/database.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace shadow::store {

struct ShownRow {
  Digest digest{};
  std::int64_t shown_ns = 0;
};

// Many rows are written within one transaction of the caller's.
void put_shown(Database& db, const std::string& session, std::string_view path,
               const ShownRow& row);

[[nodiscard]] std::optional<ShownRow> find_shown(Database& db, const std::string& session,
                                                 std::string_view path);

// By path.
[[nodiscard]] std::map<std::string, ShownRow> all_shown(Database& db, const std::string& session);

void forget_shown(Database& db, const std::string& session, std::string_view path);

// The path and all below it.
void forget_shown_below(Database& db, const std::string& session, std::string_view path);

}  // namespace shadow::store
