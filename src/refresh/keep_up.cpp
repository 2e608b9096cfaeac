// SPDX-License-Identifier: MIT
#include "refresh/keep_up.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "bases/capture/alike.hpp"
#include "bases/capture/base_text.hpp"
#include "bases/capture/upper_text.hpp"
#include "bases/ledger/copies.hpp"
#include "bases/ledger/settle_refresh.hpp"
#include "live/hold.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/stable_read.hpp"
#include "promote/recover/transaction.hpp"
#include "refresh/adopt.hpp"
#include "refresh/emptied.hpp"
#include "refresh/input_checks.hpp"
#include "refresh/refresh_plan.hpp"
#include "sys/files/lock.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace shadow::refresh {
namespace {

// So many at a time: a command of the user's waits no longer than that takes.
constexpr std::size_t kAtATime = 50;

class KeepingUp {
 public:
  KeepingUp(const session::ReviewSession& session, live::ViewEdit& edit)
      : session_{session}, edit_{edit}, copies_{session} {}

  void carry_out(const RefreshStep& step) {
    if (step.kind == RefreshStep::Kind::Drop) {
      let_tick_pass(step.real);
      replace(step);
    } else if (step.kind == RefreshStep::Kind::Adopt) {
      adopt(step);
    } else {
      note_alike(step);
    }
    SHADOW_FAIL_POINT("kept-up");
  }

  // All together: each by itself would take longer than the copy. Whoever is killed before leaves
  // what both sides have alike, which the next process notes.
  void note_replaced() const {
    store::Transaction transaction{*session_.db};
    for (const std::string& path : replaced_) {
      bases::note_copy(session_, path, edit_.copied());
    }
    transaction.commit();
  }

  void remove_emptied_directories(std::set<std::string> emptied) const {
    emptied.insert(replaced_.begin(), replaced_.end());
    (void)remove_emptied(session_, &edit_, emptied);
  }

  // True if an entry that both sides have alike is recorded as a copy already.
  [[nodiscard]] bool is_known(const RefreshStep& step) const {
    if (step.kind != RefreshStep::Kind::Prune) {
      return false;
    }
    const store::PlacedCopy* copy = copies_.find(step.path);
    const Entry own = overlay::look_beneath(upper(), step.path);
    return copy != nullptr && copy->real_ctime_ns == step.real.ctime_ns &&
           copies_.is_copy(step.path, step.real.exists() ? own : Entry{});
  }

 private:
  [[nodiscard]] int upper() const { return session_.upper.get(); }
  [[nodiscard]] int lower() const { return session_.lower.get(); }

  void replace(const RefreshStep& step) {
    bases::keep_upper_text(session_, step.path);
    edit_.restore_reviewed(step.path, reviewed_entry(session_, step));
    SHADOW_FAIL_POINT("keep-up-placed");
    replaced_.insert(step.path);
  }

  // What does not take the mode would be planned again, and for ever.
  void adopt(const RefreshStep& step) {
    adopt_directory(session_, &edit_, step);
    if (overlay::look_beneath(upper(), step.path).mode != step.real.mode) {
      throw_busy(step.path);
    }
  }

  // Both have it alike now, by whatever way: the session's own counts as a copy from here on.
  void note_alike(const RefreshStep& step) {
    store::PlacedCopy copy;
    const Entry own = overlay::look_beneath(upper(), step.path);
    const bool deleted = overlay::is_whiteout(own);
    // The user may be at work: git takes a file away before it writes the other one.
    if (deleted == step.real.exists() || overlay::is_young(own) || overlay::is_young(step.real) ||
        !(deleted ? !overlay::look_beneath(lower(), step.path).exists() : is_same(step, own))) {
      throw_busy(step.path);
    }
    copy.own = deleted ? Entry{} : own;
    copy.real_ctime_ns = step.real.ctime_ns;
    store::put_placed_copy(*session_.db, session_.row.id, step.path, copy);
  }

  [[nodiscard]] bool is_same(const RefreshStep& step, const Entry& own) const {
    return own.kind == step.real.kind &&
           bases::is_alike(upper(), lower(), {step.path, overlay::UpperKind::Plain, own},
                           step.real) &&
           same_state(own, overlay::look_beneath(upper(), step.path)) &&
           same_state(step.real, overlay::look_beneath(lower(), step.path));
  }

  [[noreturn]] static void throw_busy(const std::string& path) {
    throw StaleError{"cannot follow the project: a file changes", {}, ExitCode::Refused, {path}};
  }

  const session::ReviewSession& session_;
  live::ViewEdit& edit_;
  bases::Copies copies_;
  std::set<std::string> replaced_;
};

struct Batch {
  bool more = false;    // another one waits
  bool locked = false;  // by another command
  OwnChanges hiding;
};

// A run that has a file open for writing would write on into the replaced one.
std::vector<std::string> replaced_paths(const std::vector<RefreshStep>& steps) {
  std::vector<std::string> paths;
  for (const RefreshStep& step : steps) {
    if (step.kind == RefreshStep::Kind::Drop) {
      paths.push_back(step.path);
    }
  }
  return paths;
}

// Adds to `left` what could not be done just now, and leaves that out.
Batch keep_up_some(const session::ReviewSession& session, const ChangedPaths& changed,
                   std::set<std::string>& left) {
  constexpr std::chrono::milliseconds kNoPatience{0};
  Batch batch;
  const auto held = live::try_hold_session(session);
  std::optional<sys::FileLock> project;
  if (held) {
    project = promote::lock_project(session.site(), kNoPatience);
  }
  if (!held || !project) {
    batch.locked = true;
    return batch;
  }
  if (!held->live()) {
    return batch;
  }
  bases::settle_refresh(session);
  bases::fetch_base_texts(session);
  RefreshPlan plan =
      make_keep_up_plan(session, changed.any ? std::set<std::string>{} : changed.names);
  std::vector<RefreshStep>& steps = plan.steps;
  batch.hiding = std::move(plan.hiding);
  live::ViewEdit edit{held->trees(session)};
  KeepingUp keeping{session, edit};
  std::erase_if(steps, [&](const RefreshStep& step) {
    return left.count(step.path) != 0 || keeping.is_known(step);
  });
  // A step may unblock one that had to wait: a file that the user moved to where the session had
  // deleted another one.
  batch.more = steps.size() > kAtATime || (!steps.empty() && !batch.hiding.empty());
  steps.resize(std::min(steps.size(), kAtATime));
  const live::BeingWritten written = held->view->being_written(session.dir, replaced_paths(steps));
  for (const RefreshStep& step : steps) {
    try {
      if (written.paths.count(step.path) != 0) {
        left.insert(step.path);
      } else {
        keeping.carry_out(step);
      }
    } catch (const Error&) {
      left.insert(step.path);  // somebody writes it, or it cannot be read: no reason to stop here
    }
  }
  keeping.note_replaced();
  keeping.remove_emptied_directories(std::move(plan.emptied));
  return batch;
}

}  // namespace

KeptUp keep_up(const StateDir& state, const std::string& session, const ChangedPaths& changed,
               Extent extent) {
  const auto opened = session::open_with_its_project(state, session);
  if (!opened) {
    return {};
  }
  constexpr std::chrono::milliseconds kBreath{5};
  std::set<std::string> left;
  Batch batch = keep_up_some(*opened, changed, left);
  while (batch.more && extent == Extent::All) {
    std::this_thread::sleep_for(kBreath);  // whoever waits for the session is let in
    batch = keep_up_some(*opened, changed, left);
  }
  return {batch.locked || !left.empty(), batch.locked, std::move(batch.hiding)};
}

}  // namespace shadow::refresh
