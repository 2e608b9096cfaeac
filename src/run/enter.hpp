// SPDX-License-Identifier: MIT
// Enters a session: joins the mount of a live run, or makes one.

#pragma once

#include "shadow/session.hpp"

#include "sandbox/process/launch.hpp"
#include "session/directory/live_runs.hpp"
#include "session/directory/session_dir.hpp"

#include <cstdint>
#include <string>

namespace shadow::run {

// The session to enter. Borrows everything.
struct Entrance {
  const StateDir& state;
  const session::SessionDir& session;
  int lock = -1;               // the session's
  const std::string& project;  // the real root
  std::int64_t base_time_ns = 0;
  bool first = false;  // nobody has been in it yet
  // This run's, with the plan that tells which mount it can join. Put down before the command is
  // started, which may end before its process gets a processor again: whoever looks at the upper
  // then (bases::settle_runs) has to know that there is one more run.
  const session::LiveRecord& record;
  const NoteSink& warn;
};

// A run that is in, and its hold on the session's mount (`live`, shared).
struct EnteredRun {
  sandbox::StartedRun started;
  sys::FileLock live;
};

// Starts the run, and calls the request's on_ready either way. With the session's `lock` held.
// While nobody can join and the session is not idle, because the processes of a killed run are
// dying, it waits, for ten seconds at most; then it throws Error (NotStarted).
[[nodiscard]] EnteredRun enter_session(const Entrance& entrance, sandbox::LaunchRequest launch);

}  // namespace shadow::run
