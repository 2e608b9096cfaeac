// SPDX-License-Identifier: MIT
// The upper, compared with what was seen of it at the last look.

#pragma once

#include "bases/ledger/makers.hpp"
#include "overlay/read/scan.hpp"
#include "session/directory/made_anew.hpp"
#include "store/database/database.hpp"
#include "store/tables/runs.hpp"

#include <string>
#include <vector>

namespace shadow::bases {

// An entry of the upper that is new, or other than it was seen.
struct Fresh {
  overlay::UpperEntry entry;
  std::string hider;    // the topmost directory above that shows nothing of the project's, if any
  bool first = false;   // not seen at all
  bool is_new = false;  // not recorded for any run
  bool noted = false;   // as one that is to be recorded once its run has ended
  bool hides_now = false;  // a directory that showed the project's was in its place
};

// The changes of the upper since the last look. Unchanged entries are not kept: a session may have
// a million.
struct Difference {
  std::vector<Fresh> fresh;                // sorted by path
  std::vector<std::string> gone;           // seen, and no longer there
  std::vector<std::string> come_and_gone;  // likewise, but within runs that went on
  bool had_changes = false;                // already at the last look
  // Directories that show nothing of the project's, and what was deleted since the last look.
  std::vector<session::MadeAnew> hiding;
};

// Runs that go on may be writing: throws StaleError if that is so again and again.
[[nodiscard]] Difference compare_upper(int upper, store::Database& db, const std::string& session);

// Whether the entry took the place of another one since the last look. A copy of the project's file
// is the first that the upper has there.
[[nodiscard]] Earlier replaced_by(int upper, int lower, const Fresh& fresh);

// An entry of the upper as the ledger remembers it.
[[nodiscard]] store::SeenEntry seen_form(const overlay::UpperEntry& entry);

}  // namespace shadow::bases
