// SPDX-License-Identifier: MIT
// What is left to do when a command has ended, done by a process of its own so that the caller does
// not wait: the record's end, the ledger, the sync.

#pragma once

#include "shadow/session.hpp"

#include "session/session_dir.hpp"

namespace shadow {

struct FinishedSession {
  const StateDir& state;
  const SessionDir& session;
  const SessionKey& key;
  const SessionFacts& facts;
};

// Forks that process, unless one waits already that has not begun: it covers this run too, whose
// end is noted by now. The process waits until the session has been quiet for a moment (at most a
// second), holds `settle` (shared) while it writes, has none of the caller's descriptors and a
// session of its own.
void finish_in_background(const FinishedSession& of);

}  // namespace shadow
