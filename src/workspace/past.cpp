// SPDX-License-Identifier: MIT
// The history of applies, and undo.

#include "shadow/apply.hpp"
#include "shadow/workspace.hpp"

#include "apply/promotion/moved_files.hpp"
#include "apply/promotion/take_back.hpp"
#include "store/database/database.hpp"
#include "upkeep/open_review.hpp"
#include "workspace/call/failure.hpp"
#include "workspace/call/recovered.hpp"

#include <utility>

namespace shadow {

struct ReversalHandle {
  std::shared_ptr<const ProjectHandle> of;
  store::Database db;
  UndoPlan plan;
};

}  // namespace shadow

namespace shadow::workspace {

namespace {

Undone undone_of(const UndoPlan& plan, const TakenBack& back) {
  Undone undone;
  undone.id = back.files.result.id;
  undone.of = plan.of.id;
  for (const AppliedPath& path : back.files.result.paths) {
    undone.paths.push_back(path.path);
  }
  for (const Kept& kept : plan.kept) {
    undone.kept.push_back({kept.path, kept.reason});
  }
  for (const UndoneRef& ref : back.refs) {
    if (!ref.why.empty()) {
      undone.kept.push_back({ref.ref, ref.why});
    }
  }
  return undone;
}

ApplySite site_of(const ProjectHandle& of, store::Database& db) {
  return {of.state->dir.path(), of.project.root, db};
}

std::shared_ptr<ReversalHandle> plan_reversal(const std::shared_ptr<const ProjectHandle>& of,
                                              std::optional<std::int64_t> id,
                                              const std::optional<std::string>& session) {
  auto reversal = std::make_shared<ReversalHandle>(ReversalHandle{of, recovered(*of), {}});
  const ApplySite site = site_of(*of, reversal->db);
  upkeep::settle_project(of->state->dir, of->project, reversal->db, note_sink(*of->state));
  const ApplyRecord chosen = choose_undo(site, id, session);
  reversal->plan = plan_undo(site, chosen, [&](const std::set<std::string>& old_names) {
    return apply::find_moved(site, chosen.id, old_names);
  });
  return reversal;
}

}  // namespace

Reversal::Reversal(std::shared_ptr<ReversalHandle> handle) : handle_{std::move(handle)} {
}

const UndoPlan& Reversal::plan() const noexcept {
  return handle_->plan;
}

TakenBack Reversal::execute() const {
  return as_call([&] {
    const StateHandle& state = *handle_->of->state;
    report_stage(state, Stage::Writing, plan().plan.steps.size());
    TakenBack back = apply::take_back(state.dir, site_of(*handle_->of, handle_->db), plan());
    if (!back.files.result.unfinished.empty()) {
      note_sink(state)(back.files.result.unfinished);
    }
    return back;
  });
}

Reversal Project::plan_undo(std::optional<std::int64_t> id,
                            const std::optional<std::string>& agent) const {
  return as_call([&] {
    const auto name = named_agent(agent);
    return Reversal{plan_reversal(
        handle_, id, name ? std::optional{session_id({root(), *name})} : std::nullopt)};
  });
}

std::vector<ApplyRecord> Project::history() const {
  return as_call([&] {
    store::Database db = recovered(*handle_);
    return list_applies(site_of(*handle_, db));
  });
}

Undone Session::undo(std::optional<std::int64_t> id) const {
  const Reversal reversal = as_call([&] {
    return Reversal{plan_reversal(handle_->of, id, session_id({project(), agent()}))};
  });
  return undone_of(reversal.plan(), reversal.execute());
}

std::vector<ApplyRecord> Session::history() const {
  return Project{handle_->of}.history();
}

}  // namespace shadow::workspace
