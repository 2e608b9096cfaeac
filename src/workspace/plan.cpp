// SPDX-License-Identifier: MIT
// An apply: looked at as a plan, and written.

#include "workspace/plan.hpp"

#include "apply/choice/unmet.hpp"
#include "apply/commit_branch.hpp"
#include "apply/shown/plan_patch.hpp"
#include "apply/shown/shown.hpp"
#include "apply/shown/shown_refs.hpp"
#include "apply/whole_apply.hpp"
#include "base/text.hpp"
#include "changes/review_set.hpp"
#include "commits/show/session_commits.hpp"
#include "workspace/call/failure.hpp"
#include "workspace/call/paths.hpp"
#include "workspace/changes.hpp"
#include "workspace/commits.hpp"

#include <algorithm>
#include <utility>

namespace shadow {

// Sums the plan up, for programs.
void PlanHandle::describe() {
  const ChosenChanges& chosen = promotion.chosen;
  refs.assign(commits.items.begin(), commits.items.end());
  for (const ReviewItem& item : chosen.conflicts) {
    conflicts.push_back({item.change.path, to_sentence(item.resolution)});
  }
  for (const ReviewItem& item : chosen.blocked) {
    sensitive.push_back({item.change.path, item.sensitive});
  }
  for (const SkippedItem& item : chosen.left) {
    left.push_back({item.item.change.path, to_word(item.because)});
  }
  if (chosen.too_deep.names > 0) {
    left.push_back({chosen.too_deep.first, "too-deep"});
  }
}

apply::ApplyChoice choice_of(const workspace::ApplyOptions& options,
                             const session::ReviewSession& session) {
  apply::ApplyChoice choice;
  choice.selection = selection_of(options.paths, session.project);
  choice.on_conflict = apply::settled(options.on_conflict, session);
  choice.ignored = options.ignored;
  choice.allow_sensitive = options.allow_sensitive;
  choice.skip_sensitive = options.skip_sensitive;
  if (options.allow_sensitive_at) {
    choice.allow_sensitive = choice.allow_sensitive || options.allow_sensitive_at->names().empty();
    choice.sensitive_paths = project_paths_of(*options.allow_sensitive_at, session.project);
  }
  return choice;
}

}  // namespace shadow

namespace shadow::workspace {

namespace {

// Throws what is handled, with whether the files are in the project.
[[noreturn]] void throw_with(const Applied& done) {
  try {
    throw_failure();
  } catch (const Failure& failure) {
    throw Failure{failure.kind(), failure.what(), failure.hint(), failure.paths(),
                  !done.paths.empty()};
  }
}

// Refs as they were shown; of files each step says what it was.
void require_refs(const PlanHandle& plan) {
  if (!plan.unseen) {
    apply::require_refs_as_shown(plan.of->session, plan.commits);
  }
}

// Commits bring sensitive changes that no file shows; without a look at them nothing is known.
void refuse_unmet_by(const PlanHandle& plan, const std::vector<BranchWork>& rows,
                     apply::Unmet unmet) {
  if (!rows.empty() && !apply::can_be_written(plan.promotion)) {
    return;
  }
  const std::vector<std::string>& brought = plan.commits.not_shown;
  std::erase_if(unmet.paths, [&brought](const std::string& path) {
    return std::any_of(brought.begin(), brought.end(),
                       [&path](const std::string& one) { return is_at_or_below(one, path); });
  });
  apply::refuse_unmet(plan.of->session.project, unmet);
}

void keep_done(PlanHandle& plan, apply::Applied& done) {
  plan.done = {std::max(done.files.id, done.commits.apply), std::move(done.files.paths),
               std::move(done.commits)};
  if (!done.files.unfinished.empty()) {
    note_sink (*plan.of->state)(done.files.unfinished);
  }
}

// Where the refs cannot be moved, the files are written all the same.
void write(PlanHandle& plan) {
  apply::Applied done;
  try {
    apply::execute_whole(plan.of->session, plan.promotion, plan.commits,
                         plan.with_commits ? apply::ArrivedRefs::Drop : apply::ArrivedRefs::Keep,
                         plan.keep_mtime, done);
  } catch (...) {
    keep_done(plan, done);
    throw;
  }
  keep_done(plan, done);
}

}  // namespace

Plan::Plan(std::shared_ptr<PlanHandle> handle) : handle_{std::move(handle)} {
}

const std::vector<PlannedStep>& Plan::steps() const {
  if (!handle_->steps) {
    handle_->steps.emplace();
    for (const Step& step : handle_->promotion.plan.steps) {
      handle_->steps->push_back({step.path, to_word(step.action)});
    }
  }
  return *handle_->steps;
}
const std::vector<PlannedRef>& Plan::refs() const noexcept {
  return handle_->refs;
}
bool Plan::writes_anything() const noexcept {
  return !handle_->promotion.plan.steps.empty() || handle_->commits.writes();
}
const std::vector<Reason>& Plan::conflicts() const noexcept {
  return handle_->conflicts;
}
const std::vector<Reason>& Plan::sensitive() const noexcept {
  return handle_->sensitive;
}
const std::vector<std::string>& Plan::not_shown() const noexcept {
  return handle_->commits.not_shown;
}
const std::vector<Reason>& Plan::left() const noexcept {
  return handle_->left;
}
const Promotion& Plan::promotion() const noexcept {
  return handle_->promotion;
}
std::vector<ReviewItem> Plan::skipped() const {
  return apply::skipped_conflicts(handle_->promotion);
}
const std::vector<std::string>& Plan::remarks() const noexcept {
  return handle_->commits.remarks;
}
Looked Plan::looked() const noexcept {
  return handle_->looked;
}
const Applied& Plan::done() const noexcept {
  return handle_->done;
}

Commits Plan::commits() const {
  return as_call([&] {
    const std::vector<BranchWork> whole =
        commits::session_commits(handle_->of->session, commits::Listed::All);
    std::vector<BranchWork> moving;
    for (const PlannedRef& ref : refs()) {
      if (ref.fate != CommitFate::Leave) {
        const auto found = std::find_if(whole.begin(), whole.end(), [&](const BranchWork& work) {
          return work.ref == ref.work.ref && work.view_id == ref.work.view_id;
        });
        moving.push_back(found == whole.end() ? ref.work : *found);
      }
    }
    return Commits{std::make_shared<const CommitsHandle>(handle_->of, std::move(moving))};
  });
}

std::vector<Commits> Plan::commits_of_new_repositories() const {
  return as_call([&] {
    std::vector<Commits> found;
    for (const NewHistory& history : handle_->promotion.histories) {
      if (!history.not_shown.empty()) {
        found.push_back(Commits{std::make_shared<const CommitsHandle>(
            handle_->of,
            commits::new_repository_commits(handle_->of->session, history.git_dir,
                                            commits::Listed::All),
            history.not_shown)});
      }
    }
    return found;
  });
}

Showing Plan::show() const {
  return as_call([&] {
    handle_->shown = true;
    std::vector<PatchFile> files;
    if (apply::can_be_written(handle_->promotion)) {
      files = apply::plan_patch(handle_->of->session, handle_->promotion.plan);
    }
    return Showing{std::make_unique<ShowingHandle>(handle_->of, std::vector<ReviewItem>{},
                                                   std::move(files), handle_)};
  });
}

void Plan::check_choice() const {
  as_call([&] { apply::check_promotion(handle_->promotion); });
}

void Plan::check() const {
  as_call([&] {
    apply::check_promotion(handle_->promotion);
    if (!handle_->shown) {
      apply::require_as_shown(handle_->of->session, handle_->promotion);
    }
    require_refs(*handle_);
  });
}

const Applied& Plan::execute() {
  try {
    as_call([&] {
      if (std::exchange(handle_->executed, true)) {
        throw Failure{Kind::Invalid, "cannot execute a plan a second time"};
      }
      apply::check_promotion(handle_->promotion);
      require_refs(*handle_);
      report_stage(*handle_->of->state, Stage::Writing, handle_->promotion.plan.steps.size());
      write(*handle_);
    });
    return handle_->done;
  } catch (...) {
    throw_with(handle_->done);
  }
}

Plan Session::plan(const ApplyOptions& options) const {
  Plan plan = review().plan(options);
  as_call([&] {
    for (const std::string& remark : plan.remarks()) {
      note_sink (*handle_->of->state)(remark);
    }
  });
  return plan;
}

Plan Review::plan(const ApplyOptions& options) const {
  return as_call([&] {
    const session::ReviewSession& session = handle_->session;
    report_stage(*handle_->state, Stage::Reading);
    const apply::ApplyChoice choice = choice_of(options, session);
    const bool with_commits = options.commits && apply::takes_commits(choice);
    // Before the files are looked at.
    const std::vector<BranchWork> rows =
        with_commits ? commits::session_commits(session) : std::vector<BranchWork>{};
    ReviewSet set =
        changes::review_changes(session, session::Selection{}, changes::WalkGitDirs::Yes);
    apply::Unmet unmet = apply::unmet_permissions(
        session, set, choice,
        rows.empty() ? apply::MetBy::SensitiveChange : apply::MetBy::AnyChange);
    auto plan = std::make_shared<PlanHandle>(
        PlanHandle{handle_, apply::plan_promotion(session, std::move(set), choice)});
    plan->with_commits = with_commits;
    plan->keep_mtime = options.keep_mtime;
    plan->unseen = options.unseen;
    if (!options.unseen) {
      const apply::Looked looked = apply::bind_to_shown(session, plan->promotion);
      plan->looked.patches = looked.patches;
      plan->looked.never = looked.never;
    }
    plan->commits = apply::commits_with(session, rows, plan->promotion, choice);
    refuse_unmet_by(*plan, rows, std::move(unmet));
    if (!options.unseen) {
      const apply::LookedRefs refs = apply::looked_refs(session, plan->commits, plan->promotion);
      plan->looked.refs = refs.all;
      plan->looked.never_refs = refs.never;
    }
    plan->describe();
    return Plan{std::move(plan)};
  });
}

MadeBranch Review::make_branch(const BranchOptions& options) const {
  return as_call([&] {
    report_stage(*handle_->state, Stage::Reading);
    const apply::ApplyChoice choice = choice_of(options.apply, handle_->session);
    if (commits::session_commits(handle_->session).empty()) {
      apply::require_met(handle_->session, choice, apply::MetBy::SensitiveChange);
    }
    return apply::make_branch(handle_->session, {options.name, options.message, choice,
                                                 options.dry_run, options.apply.unseen});
  });
}

}  // namespace shadow::workspace
