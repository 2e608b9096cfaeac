// SPDX-License-Identifier: MIT
#include "run/create.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/layer.hpp"
#include "overlay/format/look.hpp"
#include "run/masks.hpp"
#include "sandbox/mounts/own_layer.hpp"
#include "sandbox/mounts/state_place.hpp"
#include "session/directory/remove_session.hpp"
#include "session/project/known_projects.hpp"
#include "store/database/database.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/lock.hpp"
#include "upkeep/replaced.hpp"
#include "upkeep/reserve.hpp"
#include "upkeep/session_row.hpp"

#include <algorithm>
#include <chrono>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::run {

namespace {

// The time as the filesystem stamps it. Files stamped later were changed after the session could
// read them. No clock will do: since Linux 6.13 a stamp may be finer than the coarse clock and so
// ahead of it, but never later than a stamp that is made after it (multigrain-ts.rst). The command
// does not start before the coarse clock has passed this time, so that a change of the same tick
// cannot follow the session's first look.
std::int64_t stamp(const session::SessionDir& session) {
  const sys::Fd file =
      sys::open_at(session.fd(), "live", O_WRONLY | O_CREAT | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (::futimens(file.get(), nullptr) != 0) {
    throw_errno("stamp the session");
  }
  return std::max(overlay::look_fd(file.get()).ctime_ns, sys::coarse_now_ns());
}

// Made here, so that nobody who wants one makes it in a session that is being deleted, and that a
// command which leaves no inode does not keep its session from being dropped.
void make_locks(const session::SessionDir& session) {
  for (const char* name : {session::kTakingLock, session::kKeeperLock, session::kSettleLock}) {
    (void)sys::open_at(session.fd(), name, O_WRONLY | O_CREAT | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  }
}

}  // namespace

session::SessionFacts create_session(const StateDir& state, const session::SessionDir& session,
                                     const SessionKey& key, const sandbox::SessionPlan& plan,
                                     int project) {
  sandbox::check_state_place(state.path());
  session::SessionFacts facts;
  facts.identity = plan.identity;
  facts.base_time_ns = stamp(session);
  overlay::create_layer(session.fd(), "project", project, overlay::RootOwner::Lower);
  if (!plan.home.empty()) {
    seed_masks(session, plan);
    sandbox::make_own_layer(session.fd(), sandbox::kPrivateHome);
  }
  ensure_git_layer(session, plan);
  make_locks(session);
  {
    store::Database db{state.database()};
    upkeep::ensure_session_row(db, session, key, facts);
  }
  session::remember_project(state, key.project);
  upkeep::keep_reserve(state);  // before the first command can fill the disk
  // As late as can be: what the user saves until here was there before the session. That the row
  // has an earlier time means at most that less is known to be as old.
  facts.base_time_ns = stamp(session);
  session.write_facts(facts);
  return facts;
}

bool drop_new_session(const StateDir& state, const session::SessionDir& session) {
  try {
    // The processes of its run are being killed, and have the lock until then.
    (void)sys::lock_file_within(session.fd(), "live", sys::LockMode::Exclusive,
                                std::chrono::seconds{1});
    store::Database db{state.database()};
    if (!upkeep::drop_empty_locked(state, db, session)) {
      return false;
    }
    session::empty_trash_in_background(state);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void ensure_git_layer(const session::SessionDir& session, const sandbox::SessionPlan& plan) {
  if (!plan.git_dir.empty() && ::faccessat(session.fd(), "gitdir/work", F_OK, 0) != 0) {
    const sys::Fd git_dir = sys::open_path(plan.git_dir, O_RDONLY | O_DIRECTORY);
    overlay::create_layer(session.fd(), "gitdir", git_dir.get(), overlay::RootOwner::Lower);
  }
}

}  // namespace shadow::run
