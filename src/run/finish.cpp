// SPDX-License-Identifier: MIT
#include "run/finish.hpp"

#include "shadow/error.hpp"

#include "bases/ledger/ledger.hpp"
#include "bases/tree/await_base_tree.hpp"
#include "bases/tree/base_tree.hpp"
#include "run/durability.hpp"
#include "session/directory/background.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/run_spool.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/placed_copies.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/lock.hpp"
#include "sys/processes/memory_bound.hpp"
#include "sys/processes/process.hpp"
#include "upkeep/session_row.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <exception>
#include <optional>
#include <utility>

#include <sys/prctl.h>
#include <unistd.h>

namespace shadow::run {
namespace {

sigset_t dismissal() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  return signals;
}

// In this order: whoever sees `live` free may mount the upper anew, so no namespace that holds the
// mount may be left by then.
void let_go(Hold& hold) {
  hold.namespaces = {};
  hold.live.unlock();
}

enum class Which : std::uint8_t { SoFar, All };

void record_runs(const FinishedSession& of, Which which) {
  const sys::FileLock settling =
      sys::lock_file_at(of.session.fd(), session::kSettleLock, sys::LockMode::Shared);
  if (!of.session.current()) {
    return;  // discarded meanwhile
  }
  store::Database db{of.state.database()};
  if (!store::find_session(db, of.session.id())) {
    // The database was lost or restored from elsewhere; the session's files are what counts.
    upkeep::ensure_session_row(db, of.session, of.key, of.facts);
  }
  bases::settle_runs(of.state, of.session, of.key.project, db);
  if (which == Which::All) {
    db.checkpoint();
  }
}

// Since when a file of a run's hides the project's, the next run's in its place no longer tells.
// Returns when it may be done again, so that it takes a quarter of the time at most.
std::int64_t record_so_far(const FinishedSession& of) {
  constexpr std::int64_t kRest = 3;  // as long as it took, each
  const std::int64_t begin = sys::monotonic_ns();
  try {
    record_runs(of, Which::SoFar);
  } catch (const Error&) {
    return INT64_MAX;  // in a moment it is done for all of them
  }
  const std::int64_t end = sys::monotonic_ns();
  return end + kRest * (end - begin);
}

// Lets a loop of runs go by: their records, ledgers and syncs are one piece of work then. What the
// first has written is looked at once, and that of others where the next does not follow at once:
// the user may take back what a run began with. Ends as soon as it is dismissed.
void record_until_quiet(const FinishedSession& of) {
  constexpr std::int64_t kMilli = 1'000'000;
  constexpr std::int64_t kMomentNs = 15 * kMilli;
  constexpr std::int64_t kQuietNs = 200 * kMilli;
  constexpr std::int64_t kMostNs = 1000 * kMilli;
  constexpr timespec kPause{0, 10 * kMilli};
  const sigset_t signals = dismissal();
  std::int64_t next_look = record_so_far(of);
  const std::int64_t begin = sys::monotonic_ns();
  std::int64_t now = 0;
  std::int64_t since_last = 0;
  do {
    if (::sigtimedwait(&signals, nullptr, &kPause) == SIGTERM) {
      return;
    }
    now = sys::monotonic_ns();
    since_last = sys::now_ns() - session::last_noted_ns(of.session);
    if (now >= next_look && since_last >= kMomentNs && session::has_ended_run(of.session)) {
      next_look = record_so_far(of);
    }
  } while (now < begin + kQuietNs || (now < begin + kMostNs && since_last < kQuietNs));
}

// What the session has of the project's own, applied, copied or only touched, would hide what the
// project gets there next. Whoever begins a run now waits for it.
void take_out_copies(const FinishedSession& of) {
  store::Database db{of.state.database()};
  // Without a base tree nothing tells yet which of them are copies.
  const bool copies =
      bases::has_base_tree(of.session.fd()) && !store::possible_copies(db, of.session.id()).empty();
  if (store::pending_prunes(db, of.session.id()).empty() && !copies) {
    return;
  }
  if (const auto idle = session::try_idle(of.session)) {
    session::clean_up_in_background(of.session, idle->lock.fd(), idle->idle.fd());
  }
}

void finish(const FinishedSession& of, Hold& hold, sys::FileLock& keeper) {
  const sigset_t signals = dismissal();
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  record_until_quiet(of);
  let_go(hold);
  // From here on a run that ends has another process see to it.
  keeper.unlock();
  // The ledger of a session's first run needs the base tree, which was begun with the run.
  (void)bases::await_base_tree(of.session, std::chrono::seconds{5});
  record_runs(of, Which::All);
  take_out_copies(of);
  if (of.session.current()) {
    sync_session(of.session);
  }
}

}  // namespace

void finish_in_background(const FinishedSession& of, Hold hold, KeepMount keep) {
  // Inherited with the open file; this process closes it without unlocking.
  auto keeper =
      sys::try_lock_file_at(of.session.fd(), session::kKeeperLock, sys::LockMode::Exclusive);
  // A run that is just being started has `lock`: not worth waiting for.
  auto lock = keeper && keep == KeepMount::Yes
                  ? of.session.lock_within(std::chrono::milliseconds{0})
                  : std::nullopt;
  if (!lock) {
    let_go(hold);
  }
  if (!keeper) {
    return;
  }
  const pid_t pid = ::fork();
  if (pid < 0) {
    throw_errno("finish the record of the run in the background");
  }
  if (pid > 0) {
    if (lock) {
      hold.record.supervisor = pid;
      hold.record.start_time = sys::start_time(pid).value_or(0);
      hold.record.init = session::LiveRecord::kKeeper;
      session::register_live(of.session, hold.record);
    }
    return;
  }
  if (!sys::detach_from_caller()) {
    ::_exit(1);
  }
  lock.reset();
  sys::bound_memory();
  try {
    finish(of, hold, *keeper);
  } catch (const std::exception&) {
    // Nobody waits for a report. A missing part (an end, the ledger, a sync) is noticed by the next
    // command of the session, which does it again.
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace shadow::run
