// SPDX-License-Identifier: MIT
// Entries that live runs have put into the upper so far. Their bases are settled; their run is
// recorded at its end, by the entry, unless somebody else replaces that before.

#pragma once

#include "overlay/read/scan.hpp"
#include "store/database/database.hpp"
#include "store/tables/runs.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::bases {

// The form of such an entry in `upper_seen`: new in the upper, or written over a recorded one.
[[nodiscard]] store::SeenEntry unrecorded_form(const overlay::UpperEntry& entry, bool first);
[[nodiscard]] bool is_unrecorded(const store::SeenEntry& seen);
[[nodiscard]] bool is_unrecorded_and_new(const store::SeenEntry& seen);

// True of a directory, recorded or not, that showed the project's when it was seen. What took its
// place began to hide that later.
[[nodiscard]] bool hid_nothing(const store::SeenEntry& seen);

// The earliest time at which the entry can have come to be in the upper.
[[nodiscard]] std::int64_t first_time(const overlay::UpperEntry& entry);

// The time from which an entry of the upper hides the project's, at the latest. A deletion has none
// of its own: whiteouts of one mount are links of one inode, and its directory has the time of the
// last one there.
[[nodiscard]] std::int64_t hides_since(int upper, const overlay::UpperEntry& entry);

// Gives entries that are not recorded yet to the runs that can have made them, before a caller
// replaces them. Part of a transaction of the caller's, who keeps the database.
class Replaced {
 public:
  Replaced(store::Database& db, std::string session);

  // Does nothing if the entry is recorded, or was not seen.
  void record(const std::string& path);
  void record(const std::string& path, const store::SeenEntry& seen);

 private:
  [[nodiscard]] const std::vector<store::RunRow>& runs();

  store::Database& db_;
  std::string session_;
  std::optional<std::vector<store::RunRow>> runs_;  // read when first needed
};

}  // namespace shadow::bases
