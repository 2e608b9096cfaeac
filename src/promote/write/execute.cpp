// SPDX-License-Identifier: MIT
#include "promote/write/execute.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/parallel.hpp"
#include "base/posix_acl.hpp"
#include "base/text.hpp"
#include "promote/journal/lifecycle.hpp"
#include "promote/recover/room.hpp"
#include "promote/recover/transaction.hpp"
#include "promote/write/stage.hpp"
#include "promote/write/swap.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/clock.hpp"

#include <algorithm>
#include <chrono>
#include <functional>

namespace shadow::promote {
namespace {

// True if the step needs, and makes, nothing but its own path. `order_steps` has put before it the
// steps that make room and the directories, and after it hard links and the attributes of
// directories.
bool stands_alone(const Step& step) {
  return step.action == Action::Write || step.action == Action::WriteLink ||
         (step.action == Action::SetAttributes && step.before.kind != EntryKind::Directory);
}

// In their order, but neighbours that stand alone at the same time.
void for_each_step(const std::vector<Step>& steps, const std::function<void(std::size_t)>& work) {
  for (std::size_t first = 0; first < steps.size();) {
    std::size_t end = first;
    while (end < steps.size() && stands_alone(steps[end])) {
      ++end;
    }
    end = std::max(end, first + 1);
    in_parallel(end - first, kShareOfFiles, [&](std::size_t index) { work(first + index); });
    first = end;
  }
}

// One run of the transaction up to its commit.
class Execution {
 public:
  Execution(const ApplySite& site, const ApplyRequest& request)
      : site_{site}, request_{request}, tree_{site.project} {}

  void look_and_check() {
    journal_ = make_journal(tree_, request_.plan.steps);
    require_room_for_undo(tree_, site_, journal_.rows);
  }

  void begin(const std::optional<std::int64_t>& undoes) {
    apply_.session = request_.session;
    apply_.agent = store::agent_of_apply(site_.database, request_.session, undoes);
    apply_.project = site_.project;
    apply_.undoes = undoes;
    apply_.started_ns = sys::now_ns();
    store::Transaction transaction{site_.database};
    store::add_apply(site_.database, apply_, journal_.rows);
    transaction.commit();
    SHADOW_FAIL_POINT("journal-begun");
  }

  void write() {
    relax();
    Stager stager{tree_, site_, request_, journal_};
    stage(stager);
    for_each_step(request_.plan.steps, [&](std::size_t index) {
      swap_in(tree_, journal_.of_step(index), stager.attributes_of(request_.plan.steps[index]));
    });
    sync();
    SHADOW_FAIL_POINT("before-commit");
    commit();
    SHADOW_FAIL_POINT("committed");
  }

  [[nodiscard]] store::ApplyRow& apply() { return apply_; }
  [[nodiscard]] std::vector<AppliedPath> outcome() && { return std::move(outcome_); }

 private:
  void relax();
  void stage(Stager& stager);
  void sync() { tree_.sync(); }
  [[nodiscard]] Entry entry_now(const Row& row);
  [[nodiscard]] std::vector<AppliedPath> look_at_outcome();
  void commit();

  const ApplySite& site_;
  const ApplyRequest& request_;
  Tree tree_;
  Journal journal_;
  store::ApplyRow apply_;
  std::vector<AppliedPath> outcome_;
};

void Execution::relax() {
  for (std::size_t index = 0; index < journal_.relaxed; ++index) {
    const Row& row = journal_.rows[index];
    tree_.set_mode(row.path, row.after.mode);
    SHADOW_FAIL_POINT("relaxed");
  }
}

void Execution::stage(Stager& stager) {
  for_each_step(request_.plan.steps, [&](std::size_t index) {
    stager.stage(request_.plan.steps[index], journal_.of_step(index));
  });
  stager.require_as_shown();
  sync();
  store::Transaction transaction{site_.database};
  store::update_staged(site_.database, apply_.id, journal_.rows);
  mark_swapping(site_.database, apply_);
  transaction.commit();
  SHADOW_FAIL_POINT("journal-staged");
}

void Execution::commit() {
  outcome_ = look_at_outcome();
  store::Transaction transaction{site_.database};
  if (request_.record) {
    request_.record(apply_.id, outcome_);
  }
  mark_done(site_.database, apply_);
  transaction.commit();
}

// The path's entry now, if that is what was written; else what was written, so that a change made
// since then is seen as one.
Entry Execution::entry_now(const Row& row) {
  const bool in_place = operation_of(row) == Operation::SetAttributes;
  Entry now = tree_.look(row.path);
  if (in_place ? now.ino == row.before.ino : is_staged(now, row)) {
    if (now.kind == EntryKind::Directory) {
      now.mode = row.after.mode;  // it is open to its owner until the end
    }
    return now;
  }
  Entry written = row.after;
  written.ino = in_place ? row.before.ino : row.staged_as.ino;
  written.size = in_place ? row.before.size : row.staged_as.size;
  written.mtime_ns = in_place ? row.before.mtime_ns : row.staged_as.mtime_ns;
  return written;
}

std::vector<AppliedPath> Execution::look_at_outcome() {
  std::vector<AppliedPath> of_steps(request_.plan.steps.size());
  in_parallel(of_steps.size(), kShareOfFiles, [&](std::size_t index) {
    const Row& row = journal_.of_step(index);
    AppliedPath& applied = of_steps[index];
    applied.path = row.path;
    applied.hash = row.after_hash;
    const std::uint32_t planned = request_.plan.steps[index].after.mode & kGroupClass;
    applied.narrowed = row.after.exists() && row.after.kind != EntryKind::Symlink &&
                       (planned & ~row.after.mode) != 0;
    if (row.after.exists()) {
      applied.now = entry_now(row);
    }
  });
  std::stable_sort(of_steps.begin(), of_steps.end(),
                   [](const AppliedPath& a, const AppliedPath& b) { return a.path < b.path; });
  // The second of two steps of one path counts.
  const auto same = [](const AppliedPath& a, const AppliedPath& b) { return a.path == b.path; };
  const auto first = std::unique(of_steps.rbegin(), of_steps.rend(), same).base();
  of_steps.erase(of_steps.begin(), first);
  return of_steps;
}

// Rolls back after a failure. True when it turns out that the journal had been committed after all.
bool give_up(const ApplySite& site, std::int64_t id, std::vector<std::string>& left) {
  std::optional<store::ApplyRow> apply = store::find_apply(site.database, id);
  const bool done = apply && is_written(apply->state);
  if (apply && !done) {
    // A commit whose sync failed may lie in the log all the same, and would count after a crash:
    // this one is written over it.
    store::update_apply(site.database, *apply);
    settle(site, *apply, left);
  }
  if (!done) {
    clear_marker(site);
  }
  return done;
}

[[noreturn]] void rethrow_with(const Error& error, const std::vector<std::string>& left) {
  throw Error{error.what(), join(left, "; "), error.code(), error.paths()};
}

void write_or_roll_back(const ApplySite& site, Execution& execution) {
  try {
    execution.write();
    return;
  } catch (const Error& error) {
    std::vector<std::string> left;
    bool done = false;
    try {
      done = give_up(site, execution.apply().id, left);
    } catch (const Error& again) {
      left.push_back(std::string{"taking back what was written failed too ("} + again.what() +
                     "); the next shadow command tries again");
    }
    if (done) {
      return;
    }
    if (!left.empty()) {
      rethrow_with(error, left);
    }
    throw;
  } catch (...) {
    std::vector<std::string> left;
    (void)give_up(site, execution.apply().id, left);
    throw;
  }
}

}  // namespace

ApplyResult execute_as(const ApplySite& site, const ApplyRequest& request,
                       const std::optional<std::int64_t>& undoes) {
  ApplyResult result;
  if (request.plan.steps.empty()) {
    return result;
  }
  constexpr std::chrono::seconds kPatience{10};
  const auto lock = lock_project(site, kPatience);
  if (!lock) {
    throw Error{"cannot write to " + quoted(site.project) + ": another apply is running",
                "try again when it is done", ExitCode::Refused};
  }
  const FullDurability full{site.database};
  RecoveryReport earlier;
  settle_all(site, earlier);

  Execution execution{site, request};
  execution.look_and_check();
  set_marker(site);
  execution.begin(undoes);
  write_or_roll_back(site, execution);
  result.id = execution.apply().id;
  try {
    std::vector<std::string> left;
    auto apply = store::find_apply(site.database, result.id);
    if (apply) {
      settle(site, *apply, left);
    }
    clear_marker(site);
    result.unfinished = join(left, "; ");
  } catch (const Error& error) {
    result.unfinished = error.what();
  }
  result.paths = std::move(execution).outcome();
  return result;
}

}  // namespace shadow::promote

namespace shadow {

ApplyResult execute(const ApplySite& site, const ApplyRequest& request) {
  return promote::execute_as(site, request, std::nullopt);
}

}  // namespace shadow
