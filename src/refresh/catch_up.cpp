// SPDX-License-Identifier: MIT
#include "refresh/catch_up.hpp"

#include "shadow/error.hpp"

#include "bases/capture/base_text.hpp"
#include "bases/capture/upper_text.hpp"
#include "bases/ledger/hidden_names.hpp"
#include "bases/ledger/seen.hpp"
#include "bases/ledger/settle_refresh.hpp"
#include "bases/tree/base_tree.hpp"
#include "changes/ignore_set.hpp"
#include "live/hold.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "overlay/write/prune.hpp"
#include "promote/recover/transaction.hpp"
#include "refresh/emptied.hpp"
#include "refresh/keep_up.hpp"
#include "refresh/refresh_plan.hpp"
#include "refresh/refresher.hpp"
#include "session/directory/made_anew.hpp"
#include "store/tables/placed_copies.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/lock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace shadow::refresh {

namespace {

// A deletion in a directory that the project has no more, either: it would keep the directory, and
// that hides what the user puts in its place.
bool both_deleted(const session::ReviewSession& session, const RefreshPlan& plan,
                  const RefreshStep& step) {
  return step.kind == RefreshStep::Kind::Prune && !step.real.exists() &&
         plan.emptied.count(std::string{sys::split_path(step.path).parent}) != 0 &&
         overlay::is_whiteout(overlay::look_beneath(session.upper.get(), step.path));
}

// What comes to the project from here on is for another look.
void note_look(const session::ReviewSession& session) {
  const sys::FileLock ledger =
      sys::lock_file_at(session.dir.fd(), "ledger", sys::LockMode::Exclusive);
  session::note_look(session.dir, session.lower.get());
}

// Whoever builds on both sides would wait with each run, and have files of both builds in one.
void leave_ignored_alone(const session::ReviewSession& session) {
  const sys::FileLock ledger =
      sys::lock_file_at(session.dir.fd(), "ledger", sys::LockMode::Exclusive);
  const overlay::View view{session.upper.get(), session.lower.get()};
  git::IgnoreRules rules = changes::make_ignore_rules(view, session.project.root);
  std::vector<std::string> ignored = session::made_anew(session.dir);
  std::erase_if(ignored, [&](const std::string& path) { return !rules.ignored(path, true); });
  if (!ignored.empty()) {
    session::leave_alone(session.dir, ignored);
  }
}

enum class Look : std::uint8_t { Any, Noted };

// Of a session that is held and not live. False while an apply goes on, which may yet be rolled
// back.
bool take_copies_out(const session::ReviewSession& session, Look look = Look::Any) {
  const auto project = promote::lock_project(session.site(), std::chrono::milliseconds{0});
  if (!project) {
    return false;
  }
  if (look == Look::Noted) {
    note_look(session);  // also if what follows fails: no run is to wait again
  }
  bases::settle_refresh(session);
  bases::fetch_base_texts(session);
  RefreshPlan plan = make_keep_up_plan(session, {});
  const overlay::StaysHidden stays_hidden =
      bases::hidden_by_session(*session.db, session.dir, session.lower.get());
  std::set<std::string> dropped;
  std::optional<Refresher> refresher;
  for (const RefreshStep& step : plan.steps) {
    if (step.kind == RefreshStep::Kind::Drop) {
      bases::keep_upper_text(session, step.path);
      overlay::drop(session.upper.get(), session.lower.get(), step.path, stays_hidden);
      dropped.insert(step.path);
    } else if (both_deleted(session, plan, step)) {
      overlay::prune(session.upper.get(), session.lower.get(), {step.path}, {}, stays_hidden);
    } else if (step.kind == RefreshStep::Kind::Prune && step.real.exists()) {
      if (!refresher) {
        refresher.emplace(session, nullptr);
      }
      refresher->carry_out(step);  // both have made the same of it
      dropped.insert(step.path);
    }
  }
  plan.emptied.insert(dropped.begin(), dropped.end());
  (void)remove_emptied(session, nullptr, plan.emptied);
  bases::settle_refresh(session);
  bases::forget_gone(session, {dropped.begin(), dropped.end()});
  return true;
}

constexpr int kMostAttempts = 20;
constexpr std::chrono::milliseconds kBetween{10};

// A run that is just starting has the lock for some milliseconds.
std::optional<live::HeldSession> hold_soon(const session::ReviewSession& session) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    if (auto held = live::try_hold_session(session)) {
      return held;
    }
    std::this_thread::sleep_for(kBetween);
  }
  return std::nullopt;
}

// The follower of the run keeps up as well, at the names that the kernel reported, and no other
// command is to wait for that for long.
void keep_up_soon(const session::ReviewSession& session, const ChangedPaths& changed) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    if (!keep_up(session.state, session.row.id, changed, Extent::Some).locked) {
      return;
    }
    std::this_thread::sleep_for(kBetween);
  }
}

}  // namespace

void catch_up(const session::ReviewSession& session) {
  try {
    bool live = false;
    if (const auto held = hold_soon(session)) {
      live = held->live();
      if (!live) {
        (void)take_copies_out(session);
      }
    }
    if (live) {
      keep_up_soon(session, {{}, true});
    }
  } catch (const Error&) {
    return;  // what is left hides no more than before, and the next apply tries again
  }
}

void catch_up_at_rest(const StateDir& state, const std::string& session) {
  const auto opened = session::open_with_its_project(state, session);
  if (opened && !store::possible_copies(*opened->db, session).empty() && take_copies_out(*opened)) {
    store::clear_possible_copies(*opened->db, session);
  }
}

void show_in_made_anew(const StateDir& state, const std::string& session) {
  const auto opened = session::open_with_its_project(state, session);
  if (!opened) {
    return;
  }
  try {
    leave_ignored_alone(*opened);
  } catch (const Error&) {
    note_look(*opened);  // no run is to wait again for what fails
    throw;
  }
  if (session::has_more_in_made_anew(opened->dir, opened->project.root)) {
    (void)take_copies_out(*opened, Look::Noted);
  }
}

void catch_up_live(const session::ReviewSession& session, std::set<std::string> paths) {
  try {
    keep_up_soon(session, {std::move(paths), false});
  } catch (const Error&) {
    return;  // it is done when the run is followed
  }
}

}  // namespace shadow::refresh
