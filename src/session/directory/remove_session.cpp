// SPDX-License-Identifier: MIT
#include "session/directory/remove_session.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "session/directory/background.hpp"
#include "session/directory/idle.hpp"
#include "session/project/known_projects.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/lock.hpp"
#include "sys/processes/process.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>

#include <fcntl.h>
#include <unistd.h>

namespace shadow::session {

namespace {

void forget_session(const StateDir& state, store::Database& db, const store::SessionRow& row) {
  store::delete_session(db, row.id);
  if (store::sessions_of_project(db, row.project).empty()) {
    forget_project(state, row.project);
  }
}

IdleSession idle_for_discard(const SessionDir& dir, const SessionRecord& session, LiveRuns live) {
  return make_idle(dir, fmt::format("discard the session of {}", quoted(session.agent)), live);
}

// The session's locks are held.
void move_to_trash(const StateDir& state, const SessionDir& dir, const std::string& agent) {
  // The record of the last run is written first: it would else come after the session is gone.
  const auto settled = sys::lock_file_within(dir.fd(), kSettleLock, sys::LockMode::Exclusive,
                                             std::chrono::seconds{30});
  const std::string away = fmt::format("{}/trash/{}.{}", state.path(), dir.id(), sys::now_ns());
  if (std::rename(dir.path().c_str(), away.c_str()) != 0 && errno != ENOENT) {
    throw_errno(fmt::format("discard the session of {}", quoted(agent)));
  }
}

}  // namespace

void remove_idle_session(const StateDir& state, store::Database& db, const store::SessionRow& row,
                         const SessionDir& dir) {
  move_to_trash(state, dir, row.agent);
  forget_session(state, db, row);
}

void discard_files(const StateDir& state, const SessionRecord& session, LiveRuns live) {
  if (auto dir = SessionDir::find(state, session.id)) {
    const IdleSession idle = idle_for_discard(*dir, session, live);
    move_to_trash(state, *dir, session.agent);
  }
}

void discard_session(const StateDir& state, store::Database& db, const store::SessionRow& row,
                     LiveRuns live) {
  if (auto dir = SessionDir::find(state, row.id)) {
    const IdleSession idle = idle_for_discard(*dir, row, live);
    remove_idle_session(state, db, row, *dir);
  } else {
    forget_session(state, db, row);
  }
}

void empty_trash(const StateDir& state, const std::string& id) {
  const sys::Fd trash = sys::open_path(state.path() + "/trash", O_RDONLY | O_DIRECTORY);
  for (const sys::DirEntry& entry : sys::list_dir(trash.get())) {
    if (entry.name.starts_with(id)) {
      sys::remove_tree(trash.get(), entry.name);
    }
  }
}

void empty_trash_in_background(const StateDir& state) {
  const pid_t pid = ::fork();
  if (pid < 0) {
    throw_errno("delete the discarded files in the background");
  }
  if (pid > 0) {
    return;
  }
  try {
    (void)sys::detach_from_caller();
    empty_trash(state);
  } catch (const std::exception&) {
    // `gc` removes the rest.
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace shadow::session
