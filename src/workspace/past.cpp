// SPDX-License-Identifier: MIT
// The history of applies, and undo.

#include "shadow/apply.hpp"
#include "shadow/workspace.hpp"

#include "apply/choice/sensitive_message.hpp"
#include "apply/choice/unmet.hpp"
#include "apply/promotion/moved_files.hpp"
#include "apply/promotion/take_back.hpp"
#include "apply/promotion/undo_judge.hpp"
#include "base/text.hpp"
#include "policy/config_file.hpp"
#include "session/project/place.hpp"
#include "store/database/database.hpp"
#include "sys/processes/process.hpp"
#include "upkeep/open_review.hpp"
#include "workspace/call/failure.hpp"
#include "workspace/call/paths.hpp"
#include "workspace/call/recovered.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace shadow {

struct ReversalHandle {
  std::shared_ptr<const ProjectHandle> of;
  store::Database db;
  UndoPlan plan;
  std::vector<ReviewItem> sensitive;  // not allowed so far
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
  auto reversal = std::make_shared<ReversalHandle>(ReversalHandle{of, recovered(*of), {}, {}});
  const ApplySite site = site_of(*of, reversal->db);
  upkeep::settle_project(of->state->dir, of->project, reversal->db, note_sink(*of->state));
  const ApplyRecord chosen = choose_undo(site, id, session);
  reversal->plan = plan_undo(site, chosen, [&](const std::set<std::string>& old_names) {
    return apply::find_moved(site, chosen.id, old_names);
  });
  const policy::Config config =
      policy::load_config({sys::environment("HOME").value_or(""), of->state->dir.path(),
                           of->project.root, of->project.cwd});
  reversal->sensitive = apply::judge_undo(site, reversal->plan, config.sensitive);
  return reversal;
}

// A misspelt permission is not taken for one that was heard.
apply::Unmet unmet_by(const std::vector<ReviewItem>& sensitive,
                      const std::vector<std::string>& allowed) {
  apply::Unmet unmet;
  std::copy_if(allowed.begin(), allowed.end(), std::back_inserter(unmet.paths),
               [&sensitive](const std::string& path) {
                 return !path.empty() &&
                        std::none_of(sensitive.begin(), sensitive.end(),
                                     [&path](const ReviewItem& item) {
                                       return is_at_or_below(item.change.path, path) ||
                                              is_at_or_below(path, item.change.path);
                                     });
               });
  for (const ReviewItem& item : sensitive) {
    unmet.sensitive.push_back(item.change.path);
  }
  return unmet;
}

// What another undo of the same apply has written by now is no change of the project's: that one
// took it back already, and this throws so.
TakenBack take_back(ReversalHandle& reversal) {
  const ApplySite site = site_of(*reversal.of, reversal.db);
  try {
    return apply::take_back(reversal.of->state->dir, site, reversal.plan);
  } catch (const Error& error) {
    if (error.code() == ExitCode::Conflict) {
      (void)choose_undo(site, reversal.plan.of.id, std::nullopt);
    }
    throw;
  }
}

}  // namespace

Reversal::Reversal(std::shared_ptr<ReversalHandle> handle) : handle_{std::move(handle)} {
}

const UndoPlan& Reversal::plan() const noexcept {
  return handle_->plan;
}

std::vector<Reason> Reversal::sensitive() const {
  std::vector<Reason> reasons;
  for (const ReviewItem& item : handle_->sensitive) {
    reasons.push_back({item.change.path, item.sensitive});
  }
  return reasons;
}

void Reversal::allow_sensitive(const Paths& paths) {
  as_call([&] {
    const std::vector<std::string> allowed = project_paths_of(paths, handle_->of->project);
    apply::refuse_unmet(handle_->of->project, unmet_by(handle_->sensitive, allowed));
    std::erase_if(handle_->sensitive, [&](const ReviewItem& item) {
      return paths.names().empty() ||
             std::any_of(allowed.begin(), allowed.end(), [&item](const std::string& path) {
               return is_at_or_below(item.change.path, path);
             });
    });
  });
}

void Reversal::check() const {
  as_call([&] {
    if (!handle_->sensitive.empty()) {
      throw apply::sensitive_undo_error(handle_->sensitive,
                                        session::place_in(handle_->of->project));
    }
  });
}

TakenBack Reversal::execute() const {
  check();
  return as_call([&] {
    const StateHandle& state = *handle_->of->state;
    report_stage(state, Stage::Writing, plan().plan.steps.size());
    TakenBack back = take_back(*handle_);
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
