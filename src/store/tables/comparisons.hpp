// SPDX-License-Identifier: MIT
// Rows of the table `comparisons`: what two large files were found to be, so that a review of an
// unchanged session does not read them again.

#pragma once

#include "shadow/entry.hpp"

#include "store/database/database.hpp"

#include <optional>
#include <string>

namespace shadow::store {

// The result of an earlier comparison, if the two files are still those that were compared: nobody
// can write to a file or replace it without a new change time or inode number.
[[nodiscard]] std::optional<bool> find_comparison(Database& db, const std::string& session,
                                                  const std::string& path, const Entry& upper,
                                                  const Entry& lower);
void put_comparison(Database& db, const std::string& session, const std::string& path,
                    const Entry& upper, const Entry& lower, bool same);

}  // namespace shadow::store
