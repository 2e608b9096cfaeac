// SPDX-License-Identifier: MIT
// Rows of the tables `bases` and `pending_prunes`.

#pragma once

#include "shadow/base.hpp"

#include "store/database/database.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shadow::store {

[[nodiscard]] std::optional<Base> find_base(Database& db, const std::string& session,
                                            const std::string& path);
[[nodiscard]] std::map<std::string, Base> all_bases(Database& db, const std::string& session);
// The bases that are not certain, and those whose content is not fetched yet or not known.
[[nodiscard]] std::map<std::string, Base> unsure_bases(Database& db, const std::string& session);
// Files whose content is not in the blobs, nor known to be an object of the project.
[[nodiscard]] std::map<std::string, Base> bases_without_text(Database& db,
                                                             const std::string& session);
// Inserts or replaces. With a base of an apply's what a live view had shown of the path is
// forgotten (shown_versions, shown_copies): none of it is later than that, and nothing is made from
// it any more.
void put_base(Database& db, const std::string& session, const std::string& path, const Base& base);
void delete_base(Database& db, const std::string& session, const std::string& path);

[[nodiscard]] std::vector<std::string> pending_prunes(Database& db, const std::string& session);
// Notes an entry of the session's own. If it was recorded as a copy (store/tables/placed_copies),
// it no longer is.
void add_pending_prune(Database& db, const std::string& session, const std::string& path);
void delete_pending_prune(Database& db, const std::string& session, const std::string& path);
// Of recorded copies, too.
void delete_prunes_below(Database& db, const std::string& session, const std::string& path);
void clear_pending_prunes(Database& db, const std::string& session);

}  // namespace shadow::store
