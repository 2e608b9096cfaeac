// SPDX-License-Identifier: MIT
#include "live/hold.hpp"

#include "shadow/error.hpp"

#include "session/directory/live_runs.hpp"
#include "sys/files/clock.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include <unistd.h>

namespace shadow::live {
namespace {

// For a run whose supervisor was killed: its processes are dying.
constexpr std::int64_t kPatienceNs = 2'000'000'000;
constexpr useconds_t kPauseUs = 5'000;

std::optional<HeldSession> try_hold(const session::ReviewSession& session, sys::FileLock& lock) {
  if (auto idle = session::try_lock_unkept(session.dir)) {
    session::wait_for_recorded(session.dir);
    remove_staged_in_view(session.dir.fd(), session.upper.get(), session.lower.get());
    return HeldSession{std::move(lock), std::move(idle), std::nullopt};
  }
  if (auto view = LiveView::open(session.dir, session.project.root)) {
    return HeldSession{std::move(lock), std::nullopt, std::move(view)};
  }
  return std::nullopt;
}

}  // namespace

ViewEdit::Trees HeldSession::trees(const session::ReviewSession& session) const {
  return {view ? view->root() : -1, session.lower.get(), session.upper.get(), session.dir.fd()};
}

HeldSession hold_session(const session::ReviewSession& session, const std::string& task,
                         session::LiveRuns live) {
  if (live == session::LiveRuns::Kill) {
    (void)session::make_idle(session.dir, task, live);
  }
  sys::FileLock lock = session::lock_session(session.dir, task);
  const std::int64_t until = sys::monotonic_ns() + kPatienceNs;
  do {
    if (auto held = try_hold(session, lock)) {
      return std::move(*held);
    }
    ::usleep(kPauseUs);
  } while (sys::monotonic_ns() < until);
  throw Error{fmt::format("cannot {}: the session's runs are ending", task), "try again",
              ExitCode::Refused};
}

std::optional<HeldSession> try_hold_session(const session::ReviewSession& session) {
  auto lock = session.dir.lock_within(std::chrono::milliseconds{0});
  return lock && session.dir.current() ? try_hold(session, *lock) : std::nullopt;
}

void remove_what_was_staged(const session::ReviewSession& session) {
  if (!has_staged_in_view(session.dir.fd())) {
    return;
  }
  constexpr std::chrono::milliseconds kPatience{200};
  auto lock = session.dir.lock_within(kPatience);
  auto held = lock ? try_hold(session, *lock) : std::nullopt;
  if (held && held->live()) {
    const ViewEdit edit{held->trees(session)};
  }
}

}  // namespace shadow::live
