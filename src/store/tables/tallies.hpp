// SPDX-License-Identifier: MIT
// Rows of the table `tallies`: how much a session holds, as of the last look at it.

#pragma once

#include "store/database/database.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace shadow::store {

struct Tally {
  std::int64_t version = 0;              // one more with each change of the session's side
  std::optional<std::uint64_t> changes;  // paths an apply could take
  std::int64_t changes_version = -1;     // whose changes these are; -1: nobody has looked
  std::int64_t counted_ns = 0;           // when they were looked at
  std::optional<std::uint64_t> bytes;    // of the files in the project's layer
  std::optional<std::uint64_t> home_bytes;
  std::int64_t bytes_version = -1;

  // True if the session's side has not changed since it was counted.
  [[nodiscard]] bool is_current() const {
    return changes_version == version && bytes_version == version;
  }
};

// The tally, or that of a session at which nobody has looked where there is no row.
[[nodiscard]] Tally find_tally(Database& db, const std::string& session);

// The part of a session that has changed.
enum class Touched : std::uint8_t {
  Anything,
  NoChanges  // only its home may have grown
};

// The session's side has changed: what was counted may be something else by now. In the transaction
// that records the change, or after it.
void outdate_tally(Database& db, const std::string& session, Touched touched);

// Records the counts of the session at this version; nullopt if they could not be determined.
void put_changes(Database& db, const std::string& session, std::int64_t version,
                 std::optional<std::uint64_t> changes, std::int64_t now_ns);
void put_bytes(Database& db, const std::string& session, std::int64_t version, std::uint64_t bytes,
               std::uint64_t home_bytes);

}  // namespace shadow::store
