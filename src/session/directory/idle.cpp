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
constexpr std::int64_t kKillPatienceNs = 10'000'000'000;

Error live_error(const std::string& task, const char* hint) {
  return Error{fmt::format("cannot {}: the session is live", task), hint, ExitCode::Refused};
}

sys::FileLock kill_and_wait(const SessionDir& dir, const std::string& task, const char* hint) {
  kill_recorded(dir);
  const std::int64_t until = sys::monotonic_ns() + kKillPatienceNs;
  while (sys::monotonic_ns() < until) {
    if (auto idle = dir.try_lock_idle()) {
      return std::move(*idle);
    }
    constexpr useconds_t kPause = 5'000;
    ::usleep(kPause);
  }
  throw live_error(task, hint);
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
  if (auto idle = try_lock_unkept(dir)) {
    session.idle = std::move(*idle);
  } else if (live == LiveRuns::Kill) {
    session.idle = kill_and_wait(dir, task, hint);
  } else {
    throw live_error(task, hint);
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
