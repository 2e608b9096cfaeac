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
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>

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
  Execution(const ApplySite& site, const ApplyPlan& plan, const ApplyRequest& request)
      : site_{site}, plan_{plan}, request_{request}, tree_{site.project} {}

  void look_and_check() {
    journal_.emplace(tree_, plan_.steps);
    require_room_for_undo(tree_, site_, *journal_);
  }

  void begin(const std::optional<std::int64_t>& undoes) {
    apply_.session = request_.session;
    apply_.agent = store::agent_of_apply(site_.database, request_.session, undoes);
    apply_.project = site_.project;
    apply_.undoes = undoes;
    apply_.started_ns = sys::now_ns();
    store::Transaction transaction{site_.database};
    store::add_apply(site_.database, apply_);
    store::add_steps(site_.database, apply_.id, journal_->size(),
                     [this](std::size_t number) { return journal_->row(number); });
    transaction.commit();
    SHADOW_FAIL_POINT("journal-begun");
  }

  void write() {
    relax();
    {
      Stager stager{tree_, site_, plan_, request_, *journal_};
      stage(stager);
      for_each_step(plan_.steps, [&](std::size_t index) {
        swap_in(tree_, journal_->of_step(index), stager.attributes_of(plan_.steps[index]));
      });
    }
    sync();
    SHADOW_FAIL_POINT("before-commit");
    commit();
    SHADOW_FAIL_POINT("committed");
  }

  [[nodiscard]] store::ApplyRow& apply() { return apply_; }
  [[nodiscard]] std::vector<AppliedPath> outcome() && { return std::move(outcome_); }

  // What is written is known from the database.
  void forget_journal() { journal_.reset(); }

 private:
  void relax();
  void stage(Stager& stager);
  void sync() { tree_.sync(); }
  [[nodiscard]] Entry entry_now(const Row& row);
  [[nodiscard]] std::vector<std::size_t> steps_by_path() const;
  void each_applied(const std::function<void(const AppliedEntry&)>& use);
  void commit();

  const ApplySite& site_;
  const ApplyPlan& plan_;
  const ApplyRequest& request_;
  Tree tree_;
  std::optional<Journal> journal_;
  store::ApplyRow apply_;
  std::vector<AppliedPath> outcome_;
};

void Execution::relax() {
  for (const Row& row : journal_->relaxed()) {
    tree_.set_mode(row.path, row.after.mode);
    SHADOW_FAIL_POINT("relaxed");
  }
}

void Execution::stage(Stager& stager) {
  for_each_step(plan_.steps, [&](std::size_t index) {
    Row row = journal_->of_step(index);
    stager.stage(plan_.steps[index], row);
    journal_->keep(index, row);
  });
  stager.require_as_shown();
  sync();
  store::Transaction transaction{site_.database};
  store::update_staged(site_.database, apply_.id, journal_->size(),
                       [this](std::size_t number) { return journal_->row(number); });
  mark_swapping(site_.database, apply_);
  transaction.commit();
  SHADOW_FAIL_POINT("journal-staged");
}

void Execution::commit() {
  store::Transaction transaction{site_.database};
  if (request_.record) {
    request_.record(apply_.id, [this](const auto& use) { each_applied(use); });
  } else {
    each_applied([](const AppliedEntry&) {});
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

// The last step of each path: the second of two counts.
std::vector<std::size_t> Execution::steps_by_path() const {
  const std::vector<Step>& steps = plan_.steps;
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&steps](std::size_t a, std::size_t b) {
    const int compared = steps[a].path.compare(steps[b].path);
    return compared != 0 ? compared < 0 : a < b;
  });
  return order;
}

// Calls `use` with what the project has at each path by now, and keeps what the result says of it.
void Execution::each_applied(const std::function<void(const AppliedEntry&)>& use) {
  const std::vector<Step>& steps = plan_.steps;
  const std::vector<std::size_t> order = steps_by_path();
  outcome_.clear();
  outcome_.reserve(order.size());
  constexpr std::size_t kAtOnce = 4096;
  struct Looked {
    Row row;
    Entry now;
  };
  std::vector<Looked> looked;
  for (std::size_t begin = 0; begin < order.size(); begin += kAtOnce) {
    looked.resize(std::min(kAtOnce, order.size() - begin));
    in_parallel(looked.size(), kShareOfFiles, [&](std::size_t index) {
      auto& [row, now] = looked[index];
      row = journal_->of_step(order[begin + index]);
      now = row.after.exists() ? entry_now(row) : Entry{};
    });
    for (std::size_t index = 0; index < looked.size(); ++index) {
      const std::size_t at = begin + index;
      const Step& step = steps[order[at]];
      if (at + 1 < order.size() && steps[order[at + 1]].path == step.path) {
        continue;
      }
      const bool second = at > 0 && steps[order[at - 1]].path == step.path;
      auto& [row, now] = looked[index];
      const std::uint32_t planned = step.after.mode & kGroupClass;
      const bool narrowed = row.after.exists() && row.after.kind != EntryKind::Symlink &&
                            (planned & ~row.after.mode) != 0;
      outcome_.push_back({step.path, narrowed ? now.mode : 0, narrowed});
      use({step.path, steps[order[second ? at - 1 : at]].before, std::move(now),
           std::move(row.after_hash)});
    }
  }
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

ApplyResult execute_as(const ApplySite& site, const ApplyPlan& plan, const ApplyRequest& request,
                       const std::optional<std::int64_t>& undoes) {
  ApplyResult result;
  if (plan.steps.empty()) {
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

  Execution execution{site, plan, request};
  execution.look_and_check();
  set_marker(site);
  execution.begin(undoes);
  write_or_roll_back(site, execution);
  result.id = execution.apply().id;
  execution.forget_journal();
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

ApplyResult execute(const ApplySite& site, const ApplyPlan& plan, const ApplyRequest& request) {
  return promote::execute_as(site, plan, request, std::nullopt);
}

}  // namespace shadow
