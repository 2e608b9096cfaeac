// SPDX-License-Identifier: MIT
// Removes what no session needs any more.

#pragma once

#include "shadow/session.hpp"

#include "store/tables/sessions.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace shadow::discard {

enum class GcMode : std::uint8_t { DryRun, Remove };

struct GcReport {
  std::vector<store::SessionRow>
      sessions;  // whose project or files are gone, or empty ones of a project that was replaced
  std::vector<store::SessionRow> live;  // of those, still running: left
  std::int64_t applies = 0;             // too old to be undone
  std::int64_t runs = 0;                // too old to be remembered
  std::uint64_t trash = 0;              // discarded directories that were not deleted yet
  std::uint64_t blobs = 0;              // contents that nothing refers to
  std::uint64_t blob_bytes = 0;
};

// The contents that a base, a base tree or an undo may still need.
[[nodiscard]] std::set<std::string> needed_blobs(const StateDir& state, store::Database& db);

// A session counts as lost when its project's path no longer exists. Applies and runs that
// ended before `keep_since_ns` are forgotten. A dry run tells what would be removed, but for the
// contents that would become unreferenced only then. Throws Error.
[[nodiscard]] GcReport collect_garbage(const StateDir& state, store::Database& db,
                                       std::int64_t keep_since_ns, GcMode mode);

}  // namespace shadow::discard
