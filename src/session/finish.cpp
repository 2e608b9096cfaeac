// SPDX-License-Identifier: MIT
#include "session/finish.hpp"

#include "shadow/error.hpp"

#include "session/create.hpp"
#include "session/durability.hpp"
#include "session/ledger.hpp"
#include "session/run_spool.hpp"
#include "store/sessions.hpp"
#include "sys/clock.hpp"
#include "sys/lock.hpp"

#include <cerrno>
#include <exception>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace shadow {
namespace {

// 0, 1 and 2 are the caller's, who may wait for end-of-file on them.
void detach() {
  ::setsid();
  const sys::Fd null{::open("/dev/null", O_RDWR | O_CLOEXEC)};
  for (int fd = 0; fd <= 2; ++fd) {
    ::dup2(null.get(), fd);
  }
  if (::chdir("/") != 0) {
    ::_exit(1);
  }
  // Behind whatever the caller does next.
  constexpr int kNice = 10;
  ::setpriority(PRIO_PROCESS, 0, kNice);
}

// Lets a loop of runs go by: their records, ledgers and syncs are one piece of work then.
void wait_for_quiet(const SessionDir& session) {
  constexpr std::int64_t kMilli = 1'000'000;
  constexpr std::int64_t kQuietNs = 200 * kMilli;
  const std::int64_t latest = sys::monotonic_ns() + 1000 * kMilli;
  do {
    ::usleep(kQuietNs / 1000);
  } while (sys::now_ns() - last_noted_ns(session) < kQuietNs && sys::monotonic_ns() < latest);
}

void finish(const FinishedSession& of, sys::FileLock& waiting) {
  wait_for_quiet(of.session);
  // From here on a run that ends has another process see to it.
  waiting.unlock();
  {
    const sys::FileLock settling =
        sys::lock_file_at(of.session.fd(), "settle", sys::LockMode::Shared);
    if (!of.session.current()) {
      return;  // discarded meanwhile
    }
    store::Database db{of.state.database()};
    if (!store::find_session(db, of.session.id())) {
      // The database was lost or restored from elsewhere; the session's files are what counts.
      ensure_session_row(of.state, of.session, of.key, of.facts);
    }
    settle_runs(of.state, of.session, of.key.project, db);
    db.checkpoint();
  }
  sync_session(of.session);
}

}  // namespace

void finish_in_background(const FinishedSession& of) {
  // Inherited with the open file; this process closes it without unlocking.
  auto waiting = sys::try_lock_file_at(of.session.fd(), "finish-waiting", sys::LockMode::Exclusive);
  if (!waiting) {
    return;
  }
  const pid_t pid = ::fork();
  if (pid < 0) {
    throw_errno("finish the record of the run in the background");
  }
  if (pid > 0) {
    return;
  }
  detach();
  try {
    finish(of, *waiting);
  } catch (const std::exception&) {
    // Nobody is there to be told. What is missing (an end, the ledger, a sync) is seen by the next
    // command of the session, which does it again.
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace shadow
