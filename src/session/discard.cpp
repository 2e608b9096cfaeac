// SPDX-License-Identifier: MIT
#include "session/discard.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/look.hpp"
#include "overlay/prune.hpp"
#include "session/background.hpp"
#include "session/idle.hpp"
#include "session/known_projects.hpp"
#include "session/live_runs.hpp"
#include "session/seen.hpp"
#include "store/bases.hpp"
#include "sys/clock.hpp"
#include "sys/dir.hpp"
#include "sys/lock.hpp"
#include "sys/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace shadow {

namespace {

constexpr std::chrono::seconds kLockPatience{10};
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

bool at_or_below(const std::string& path, const std::vector<std::string>& paths) {
  return std::any_of(paths.begin(), paths.end(),
                     [&path](const std::string& above) { return is_at_or_below(path, above); });
}

void empty_trash(const StateDir& state) {
  const sys::Fd trash = sys::open_path(state.path() + "/trash", O_RDONLY | O_DIRECTORY);
  for (const sys::DirEntry& entry : sys::list_dir(trash.get())) {
    sys::remove_tree(trash.get(), entry.name);
  }
}

}  // namespace

IdleSession make_idle(const SessionDir& dir, const std::string& task, LiveRuns live,
                      const char* hint) {
  auto lock = dir.lock_within(kLockPatience);
  if (!lock) {
    throw Error{fmt::format("cannot {}: another command works on the session", task), "try again",
                ExitCode::Refused};
  }
  IdleSession session{std::move(*lock), {}};
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

void renew_bases(const ReviewSession& session, const std::vector<std::string>& paths) {
  for (const auto& [path, old] : store::all_bases(*session.db, session.row.id)) {
    if (!at_or_below(path, paths)) {
      continue;
    }
    store::BaseRow row;
    row.source = "tree";
    row.certain = true;
    row.entry = overlay::look_beneath(session.lower.get(), path);
    store::put_base(*session.db, session.row.id, path, row);
  }
}

void discard_paths(const ReviewSession& session, const Selection& selection, LiveRuns live) {
  const IdleSession idle =
      make_idle(session.dir, "discard " + quoted(selection.paths().front()), live);
  for (const std::string& path : selection.paths()) {
    overlay::drop(session.upper.get(), session.lower.get(), path);
  }
  store::Transaction transaction{*session.db};
  renew_bases(session, selection.paths());
  forget_gone(session, selection.paths());
  transaction.commit();
  keep_bases_in_background(session.dir);
}

void discard_session(const StateDir& state, store::Database& db, const store::SessionRow& row,
                     LiveRuns live) {
  if (auto dir = SessionDir::find(state, row.id)) {
    const IdleSession idle =
        make_idle(*dir, fmt::format("discard the session of {}", quoted(row.interlocutor)), live);
    // The record of the last run is written first: it would else come after the session is gone.
    const auto settled = sys::lock_file_within(dir->fd(), "settle", sys::LockMode::Exclusive,
                                               std::chrono::seconds{30});
    const std::string away = fmt::format("{}/trash/{}.{}", state.path(), row.id, sys::now_ns());
    if (std::rename(dir->path().c_str(), away.c_str()) != 0 && errno != ENOENT) {
      throw_errno(fmt::format("discard the session of {}", quoted(row.interlocutor)));
    }
    store::delete_session(db, row.id);
  } else {
    store::delete_session(db, row.id);
  }
  if (store::sessions_of_project(db, row.project).empty()) {
    forget_project(state, row.project);
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
    // What is left, `gc` removes.
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace shadow
