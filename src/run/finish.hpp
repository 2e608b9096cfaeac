// SPDX-License-Identifier: MIT
// The work after a command has ended, done by a process of its own so that the caller does not
// wait: the end of the record, the ledger, the sync.

#pragma once

#include "shadow/session.hpp"

#include "sandbox/setup/namespaces.hpp"
#include "session/directory/live_runs.hpp"
#include "session/directory/session_dir.hpp"

#include <cstdint>

namespace shadow::run {

struct FinishedSession {
  const StateDir& state;
  const session::SessionDir& session;
  const SessionKey& key;
  const session::SessionFacts& facts;
};

// The run's hold on the session's mount.
struct Hold {
  sys::FileLock live;
  sandbox::SessionNamespaces namespaces;
  session::LiveRecord record;
};

// Forks a process that finishes the run, unless one waits already that has not begun: it covers
// this run too, whose end is noted by now. The process has none of the caller's descriptors and a
// session of its own. It waits until the session has been quiet for a moment (at most a second). As
// long it is the keeper: it holds the mount, so that runs which follow each other closely join it
// instead of making it anew; who needs the session idle dismisses it. Then it holds `settle`
// (shared) while it writes. `hold` is given up without a keeper when the run did not end by itself.
enum class KeepMount : std::uint8_t { No, Yes };
void finish_in_background(const FinishedSession& of, Hold hold, KeepMount keep);

}  // namespace shadow::run
