// SPDX-License-Identifier: MIT
// A session at rest: whoever holds its locks may change the upper.

#pragma once

#include "session/directory/session_dir.hpp"
#include "sys/files/lock.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace shadow::session {

struct IdleSession {
  sys::FileLock lock;
  sys::FileLock idle;
};

// The treatment of live runs that are in the way.
enum class LiveRuns : std::uint8_t { Refuse, Kill };

// The session's lock, once the command or the clean-up that has it is done. `task` completes
// "cannot ..." in the Error (Refused) when that takes minutes.
[[nodiscard]] sys::FileLock lock_session(const SessionDir& dir, const std::string& task);

// The session's locks, once nothing of it runs. `task` completes "cannot ..." in the Error
// (Refused) that is thrown when something does, with this hint, or when another command works on
// the session.
[[nodiscard]] IdleSession make_idle(const SessionDir& dir, const std::string& task, LiveRuns live,
                                    const char* hint =
                                        "wait until its runs have ended, or end them with --kill; "
                                        "'shadow discard :/' drops all changes "
                                        "beside them");

// The session's locks, if nothing of it runs now. Waits a moment for another command.
[[nodiscard]] std::optional<IdleSession> try_idle(const SessionDir& session);

}  // namespace shadow::session
