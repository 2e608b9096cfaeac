// SPDX-License-Identifier: MIT
#include "session/finish.hpp"

#include "shadow/error.hpp"

#include "session/create.hpp"
#include "session/durability.hpp"
#include "session/ledger.hpp"
#include "session/run_spool.hpp"
#include "store/sessions.hpp"
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

void finish(const FinishedSession& of, const store::RunRow& run, sys::FileLock& settling) {
  {
    store::Database db{of.state.database()};
    if (!store::find_session(db, of.session.id())) {
      // The database was lost or restored from elsewhere; the session's files are what counts.
      ensure_session_row(of.state, of.session, of.key, of.facts);
    }
    store::touch_session(db, of.session.id(), run.started_ns);
    import_ended_run(of.session, db, run);
    settle_runs(of.state, of.session, of.key.project, db);
    settling.unlock();
    db.checkpoint();
  }
  sync_session(of.session);
}

}  // namespace

void finish_in_background(const FinishedSession& of, const store::RunRow& run) {
  // Taken before the fork and inherited with the open file: a command that comes next waits for it.
  sys::FileLock settling = sys::lock_file_at(of.session.fd(), "settle", sys::LockMode::Shared);
  const pid_t pid = ::fork();
  if (pid < 0) {
    throw_errno("finish the record of the run in the background");
  }
  if (pid > 0) {
    return;
  }
  detach();
  try {
    finish(of, run, settling);
  } catch (const std::exception&) {
    // Nobody is there to be told. What is missing (an end, the ledger, a sync) is seen by the next
    // command of the session, which does it again.
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace shadow
