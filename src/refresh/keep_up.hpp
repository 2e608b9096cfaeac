// SPDX-License-Identifier: MIT
// Entries in a live session's upper without a change of its own hide the project's: applied ones,
// and those copied up without a change. It is brought up to the project as the user goes on.

#pragma once

#include "shadow/session.hpp"

#include "refresh/own_changes.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace shadow::refresh {

// Which of the project's paths changed.
struct ChangedPaths {
  std::set<std::string> names;  // these and what is below them
  bool any = false;             // or others

  [[nodiscard]] bool none() const { return names.empty() && !any; }
  void add(ChangedPaths others) {
    names.merge(others.names);
    any = any || others.any;
  }
};

struct KeptUp {
  // Another command works on the session or the project, a file is in use, or changes.
  bool again = false;
  // The first of these: nothing was done, or not all that was asked for.
  bool locked = false;
  // What is to be looked at once more when a run has touched it: it may have taken its change back.
  OwnChanges hiding;
};

// How much of it: a person does not wait for more than some.
enum class Extent : std::uint8_t { Some, All };

// Has the view of a live session show the project's at these paths, where the session's entry is
// what the project once had, what was applied, or a copy made here. Each is replaced through the
// view by a copy that is known as one (bases/ledger/copies). Its base stays the oldest that the
// session may have read: the agent does not know, and what it writes from memory takes nothing
// back. Throws Error.
[[nodiscard]] KeptUp keep_up(const StateDir& state, const std::string& session,
                             const ChangedPaths& changed, Extent extent);

}  // namespace shadow::refresh
