// SPDX-License-Identifier: MIT
// An apply: looked at as a plan, and written.

#include "shadow/error.hpp"
#include "shadow/workspace.hpp"

#include "apply/choice/on_conflict.hpp"
#include "apply/shown/shown.hpp"
#include "apply/shown/shown_refs.hpp"
#include "apply/whole_apply.hpp"
#include "commits/show/session_commits.hpp"
#include "workspace/failure.hpp"
#include "workspace/paths.hpp"

#include <algorithm>
#include <utility>

namespace shadow::workspace {

namespace {

apply::ApplyChoice choice_of(const ApplyOptions& options, const session::ReviewSession& session) {
  apply::ApplyChoice choice;
  choice.selection = selection_of(options.paths, session.project);
  choice.on_conflict = apply::settled(options.on_conflict, session);
  choice.ignored = options.ignored;
  choice.allow_sensitive = options.allow_sensitive;
  choice.skip_sensitive = options.skip_sensitive;
  if (!options.allow_sensitive_at.empty()) {
    choice.sensitive_paths = Paths::only(options.allow_sensitive_at).names();
  }
  return choice;
}

PlannedRef planned_ref(const commits::CommitItem& item) {
  PlannedRef ref{item.work.ref, {}, item.why};
  if (item.fate == commits::CommitFate::Move) {
    ref.becomes = item.work.ref;
  } else if (item.fate == commits::CommitFate::Aside) {
    ref.becomes = item.aside;
  }
  return ref;
}

// What the plan comes to, for programs.
void describe(PlanHandle& plan) {
  const apply::ChosenChanges& chosen = plan.promotion.chosen;
  for (const Step& step : plan.promotion.plan.steps) {
    plan.steps.push_back({step.path, shadow::to_word(step.action)});
  }
  for (const commits::CommitItem& item : plan.commits.items) {
    plan.refs.push_back(planned_ref(item));
  }
  for (const ReviewItem& item : chosen.conflicts) {
    plan.conflicts.push_back({item.change.path, to_sentence(item.resolution)});
  }
  for (const ReviewItem& item : chosen.blocked) {
    plan.sensitive.push_back({item.change.path, item.sensitive});
  }
  for (const apply::LeftItem& left : chosen.left) {
    plan.left.push_back({left.item.change.path, apply::to_word(left.because)});
  }
  if (chosen.too_deep.names > 0) {
    plan.left.push_back({chosen.too_deep.first, "too-deep"});
  }
  plan.not_shown = plan.commits.not_shown;
}

Applied applied_of(const apply::Applied& done) {
  Applied applied;
  applied.id = std::max(done.files.id, done.commits.apply);
  for (const AppliedPath& path : done.files.paths) {
    applied.paths.push_back(path.path);
  }
  for (const commits::MovedRef& moved : done.commits.refs) {
    if (!moved.ref.empty()) {
      applied.refs.push_back(moved.ref);
    }
  }
  return applied;
}

// Throws what is handled, with whether the files are in the project.
[[noreturn]] void throw_with(const apply::Applied& done) {
  try {
    throw_failure();
  } catch (const Failure& failure) {
    throw Failure{failure.kind(), failure.what(), failure.hint(), failure.paths(),
                  done.files.id != 0};
  }
}

}  // namespace

Plan::Plan(std::unique_ptr<PlanHandle> handle) : handle_{std::move(handle)} {
}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

const std::vector<PlannedStep>& Plan::steps() const noexcept {
  return handle_->steps;
}
const std::vector<PlannedRef>& Plan::refs() const noexcept {
  return handle_->refs;
}
const std::vector<Reason>& Plan::conflicts() const noexcept {
  return handle_->conflicts;
}
const std::vector<Reason>& Plan::sensitive() const noexcept {
  return handle_->sensitive;
}
const std::vector<std::string>& Plan::not_shown() const noexcept {
  return handle_->not_shown;
}
const std::vector<Reason>& Plan::left() const noexcept {
  return handle_->left;
}

namespace {

// Refs as they were shown; of files each step says what it was.
void require_refs(const PlanHandle& plan) {
  if (!plan.unseen) {
    apply::require_refs_as_shown(plan.session, plan.commits);
  }
}

}  // namespace

Plan Session::plan(const ApplyOptions& options) const {
  return as_call([&] {
    auto plan = std::make_unique<PlanHandle>(PlanHandle{handle_, open_for(*handle_), {}, {}});
    const session::ReviewSession& session = plan->session;
    tell_stage(*handle_->state, Stage::Reading);
    const apply::ApplyChoice choice = choice_of(options, session);
    plan->with_commits = options.commits && apply::takes_commits(choice);
    plan->keep_mtime = options.keep_mtime;
    plan->unseen = options.unseen;
    const std::vector<BranchWork> rows =
        plan->with_commits ? commits::session_commits(session) : std::vector<BranchWork>{};
    plan->promotion = apply::plan_promotion(session, choice);
    if (!options.unseen) {
      (void)apply::bind_to_shown(session, plan->promotion);
    }
    plan->commits = apply::commits_with(session, rows, plan->promotion, choice);
    describe(*plan);
    for (const std::string& remark : plan->commits.remarks) {
      note_sink (*handle_->state)(remark);
    }
    return Plan{std::move(plan)};
  });
}

void Plan::check() const {
  as_call([&] {
    apply::check_promotion(handle_->promotion);
    apply::require_as_shown(handle_->session, handle_->promotion);
    require_refs(*handle_);
  });
}

Applied Plan::execute() {
  apply::Applied done;
  try {
    return as_call([&] {
      if (std::exchange(handle_->executed, true)) {
        throw Failure{Kind::Invalid, "cannot execute a plan a second time"};
      }
      const StateHandle& state = *handle_->of->state;
      apply::check_promotion(handle_->promotion);
      require_refs(*handle_);
      tell_stage(state, Stage::Writing, handle_->steps.size());
      apply::execute_whole(
          handle_->session, handle_->promotion, handle_->commits,
          handle_->with_commits ? apply::ArrivedRefs::Drop : apply::ArrivedRefs::Keep,
          handle_->keep_mtime, done);
      if (!done.files.unfinished.empty()) {
        note_sink(state)(done.files.unfinished);
      }
      return applied_of(done);
    });
  } catch (...) {
    throw_with(done);
  }
}

}  // namespace shadow::workspace
