// SPDX-License-Identifier: MIT
// A session at rest: whoever holds its locks may change the upper.

#pragma once

#include "session/discard.hpp"
#include "session/session_dir.hpp"
#include "sys/lock.hpp"

#include <string>

namespace shadow {

struct IdleSession {
  sys::FileLock lock;
  sys::FileLock idle;
};

// The session's locks, once nothing of it runs. `task` completes "cannot ..." in the Error
// (Refused) that is thrown when something does, with this hint, or when another command works on
// the session.
[[nodiscard]] IdleSession make_idle(
    const SessionDir& dir, const std::string& task, LiveRuns live,
    const char* hint = "wait until its runs have ended, or end them with --kill");

// Makes what the project has now the base of paths at or below these that have one.
void renew_bases(const ReviewSession& session, const std::vector<std::string>& paths);

}  // namespace shadow
