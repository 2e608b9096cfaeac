// SPDX-License-Identifier: MIT
#include "session/directory/idle.hpp"

#include "shadow/error.hpp"

#include "session/directory/live_runs.hpp"
#include "sys/files/clock.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include <unistd.h>

namespace shadow::session {

namespace {

// Nobody keeps the lock while a person is asked, so whoever has it is at work: the longest is the
// clean-up after an apply, some 10 s for 100 000 files.
constexpr std::chrono::minutes kLockPatience{3};
constexpr std::int64_t kEndingNs = 10'000'000'000;
constexpr std::int64_t kRecordingNs = 180'000'000'000;  // by a process that lives

// Returns once nobody holds the mount any more: a keeper first records what the runs did. A run
// that goes on is waited for only where it was killed.
sys::FileLock wait_for_idle(const SessionDir& dir, const std::string& task, LiveRuns live,
                            const char* hint) {
  const std::int64_t began_ns = sys::monotonic_ns();
  for (;;) {
    if (auto idle = try_lock_unkept(dir)) {
      return std::move(*idle);
    }
    const Holder holder = holder_of(dir);
    const std::int64_t patience_ns = holder == Holder::Keeper ? kRecordingNs : kEndingNs;
    const bool over = sys::monotonic_ns() - began_ns >= patience_ns;
    if (holder == Holder::Run && (over || live == LiveRuns::Refuse)) {
      throw Error{fmt::format("cannot {}: the session is live", task), hint, ExitCode::Refused};
    }
    if (over) {
      throw Error{fmt::format("cannot {}: the session's runs are ending", task), "try again",
                  ExitCode::Refused};
    }
    constexpr useconds_t kPause = 5'000;
    ::usleep(kPause);
  }
}

}  // namespace

sys::FileLock lock_session(const SessionDir& dir, const std::string& task) {
  auto lock = dir.lock_within(kLockPatience);
  if (!lock) {
    throw Error{fmt::format("cannot {}: another command works on the session", task), "try again",
                ExitCode::Refused};
  }
  return std::move(*lock);
}

IdleSession make_idle(const SessionDir& dir, const std::string& task, LiveRuns live,
                      const char* hint) {
  IdleSession session{lock_session(dir, task), {}};
  if (auto idle = dir.try_lock_idle()) {
    session.idle = std::move(*idle);
  } else {
    if (live == LiveRuns::Kill) {
      kill_recorded(dir);
    }
    session.idle = wait_for_idle(dir, task, live, hint);
  }
  wait_for_recorded(dir);
  return session;
}

std::optional<IdleSession> try_idle(const SessionDir& session) {
  constexpr std::chrono::milliseconds kPatience{200};
  auto lock = session.lock_within(kPatience);
  if (!lock || !session.current()) {
    return std::nullopt;
  }
  auto idle = try_lock_unkept(session);
  if (!idle) {
    return std::nullopt;
  }
  return IdleSession{std::move(*lock), std::move(*idle)};
}

}  // namespace shadow::session
