// SPDX-License-Identifier: MIT
// Entries in a live session's upper without a change of its own hide the project's: applied ones,
// and those copied up without a change. It is brought up to the project as the user goes on.

#pragma once

#include "shadow/session.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace shadow::refresh {

// Which of the project's paths changed.
struct ChangedPaths {
  std::set<std::string> names;  // these and what is below them
  bool any = false;             // or others

  [[nodiscard]] bool none() const { return names.empty() && !any; }
};

enum class KeptUp : std::uint8_t {
  Done,  // or nothing of the session is live
  Again  // another command works on the session or the project, a file is in use, or changes
};

// Has the view of a live session show the project's at these paths, where the session's entry is
// what the project once had, what was applied, or a copy made here. Each is replaced through the
// view by a copy that is known as one (bases/ledger/copies). Its base stays the oldest that the
// session may have read: the agent does not know, and what it writes from memory takes nothing
// back. Throws Error.
[[nodiscard]] KeptUp keep_up(const StateDir& state, const std::string& session,
                             const ChangedPaths& changed);

}  // namespace shadow::refresh
