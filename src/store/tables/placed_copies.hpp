// SPDX-License-Identifier: MIT
// Rows of the table `pending_prunes` whose entries are the project's: copies that were put into the
// upper of a live session, or that a run made and left alone. And of `possible_copies`, entries
// that may be such, and `shown_copies`, what became of them.

#pragma once

#include "shadow/entry.hpp"

#include "store/database/database.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace shadow::store {

struct PlacedCopy {
  Entry own;  // the upper's: kind (of a whiteout Absent), mode, size, ino, times
  std::int64_t real_ctime_ns = 0;  // of the project's entry that was copied; 0: it had none
};

// By path.
[[nodiscard]] std::map<std::string, PlacedCopy> placed_copies(Database& db,
                                                              const std::string& session);
// Inserts or replaces.
void put_placed_copy(Database& db, const std::string& session, const std::string& path,
                     const PlacedCopy& copy);

// `own_ino`, `own_ctime_ns`: the session's entry if a look found it while the
// project still had what it may be a copy of; both 0: none did.
struct PossibleCopy {
  std::string path;
  std::uint64_t own_ino = 0;
  std::int64_t own_ctime_ns = 0;
  bool operator==(const PossibleCopy&) const = default;
};
// By path.
[[nodiscard]] std::vector<PossibleCopy> possible_copies(Database& db, const std::string& session);
// Of one that was there the entry is replaced, where this one has any.
void add_possible_copy(Database& db, const std::string& session, const PossibleCopy& copy);
// True if this is the session's entry that was found beside the project's.
[[nodiscard]] bool was_seen_beside(Database& db, const std::string& session,
                                   const std::string& path, const Entry& own);
void clear_possible_copies(Database& db, const std::string& session);

// By path, the change time of the project's entry that was copied there, and that a run then made
// something else of.
[[nodiscard]] std::map<std::string, std::int64_t> shown_copies(Database& db,
                                                               const std::string& session);
// Inserts or replaces.
void put_shown_copy(Database& db, const std::string& session, const std::string& path,
                    std::int64_t real_ctime_ns);

}  // namespace shadow::store
