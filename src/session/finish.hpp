// SPDX-License-Identifier: MIT
// What is left to do when a command has ended, done by a process of its own so that the caller does
// not wait: the record's end, the ledger, the sync.

#pragma once

#include "shadow/session.hpp"

#include "session/session_dir.hpp"
#include "store/runs.hpp"

namespace shadow {

struct FinishedSession {
  const StateDir& state;
  const SessionDir& session;
  const SessionKey& key;
  const SessionFacts& facts;
};

// Forks that process and returns. It holds `settle` (shared) until the ledger is written, has none
// of the caller's descriptors and a session of its own. `run` has its end filled in.
void finish_in_background(const FinishedSession& of, const store::RunRow& run);

}  // namespace shadow
