// SPDX-License-Identifier: MIT
// What was applied, and taking it back; and dropping what was not.

#include "shadow/apply.hpp"
#include "shadow/workspace.hpp"

#include "apply/promotion/take_back.hpp"
#include "changes/lines.hpp"
#include "changes/selection_match.hpp"
#include "discard/discard.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/recovery.hpp"
#include "session/directory/remove_session.hpp"
#include "store/database/database.hpp"
#include "upkeep/open_review.hpp"
#include "upkeep/reserve.hpp"
#include "workspace/failure.hpp"
#include "workspace/paths.hpp"

#include <utility>

namespace shadow::workspace {

namespace {

ApplyRecord record_of(const shadow::ApplyRecord& record) {
  ApplyRecord found;
  found.id = record.id;
  found.agent = record.interlocutor;
  found.undoes = record.undoes;
  found.undone = record.undone;
  found.started_ns = record.started_ns;
  found.ended_ns = record.ended_ns;
  found.paths = static_cast<std::uint64_t>(record.paths);
  found.refs = record.refs;
  return found;
}

Undone undone_of(const UndoPlan& plan, const apply::TakenBack& back) {
  Undone undone;
  undone.id = back.files.result.id;
  undone.of = plan.of.id;
  for (const AppliedPath& path : back.files.result.paths) {
    undone.paths.push_back(path.path);
  }
  for (const Kept& kept : plan.kept) {
    undone.kept.push_back({kept.path, kept.reason});
  }
  for (const commits::UndoneRef& ref : back.refs) {
    if (!ref.why.empty()) {
      undone.kept.push_back({ref.ref, ref.why});
    }
  }
  return undone;
}

// A project's database, with an apply of it that was interrupted finished or rolled back.
store::Database recovered(const SessionHandle& handle) {
  tell_stage(*handle.state, Stage::Opening);
  upkeep::use_reserve_if_full(handle.state->dir);
  store::Database db{handle.state->dir.database()};
  session::recover_project({handle.state->dir.path(), handle.project.root, db},
                           note_sink(*handle.state));
  return db;
}

// Found and removed without being opened: one whose files are gone must be removable too.
void discard_whole(const SessionHandle& handle, session::LiveRuns live) {
  const StateDir& state = handle.state->dir;
  store::Database db = recovered(handle);
  session::discard_session(state, db,
                           upkeep::choose_session(state, handle.project, handle.agent, db), live);
  tell_stage(*handle.state, Stage::CleaningUp);
  // Not in the background: a child of a host would stay a zombie until the host ends.
  try {
    session::empty_trash(state);
  } catch (const Error& error) {
    note_sink (*handle.state)(std::string{error.what()} + ": 'shadow gc' removes what is left");
  }
}

}  // namespace

Undone Session::undo(std::optional<std::int64_t> id) const {
  return as_call([&] {
    const StateDir& state = handle_->state->dir;
    store::Database db = recovered(*handle_);
    const ApplySite site{state.path(), project(), db};
    upkeep::settle_project(state, handle_->project, db, note_sink(*handle_->state));
    const UndoPlan plan = plan_undo(site, choose_undo(site, id, session_id({project(), agent()})));
    tell_stage(*handle_->state, Stage::Writing, plan.plan.steps.size());
    const apply::TakenBack back = apply::take_back(state, site, plan);
    if (!back.files.result.unfinished.empty()) {
      note_sink (*handle_->state)(back.files.result.unfinished);
    }
    return undone_of(plan, back);
  });
}

std::vector<ApplyRecord> Session::history() const {
  return as_call([&] {
    store::Database db = recovered(*handle_);
    std::vector<ApplyRecord> records;
    for (const auto& record : list_applies({handle_->state->dir.path(), project(), db})) {
      records.push_back(record_of(record));
    }
    return records;
  });
}

std::uint64_t Session::discard(const Paths& paths, LiveRuns live) const {
  return as_call([&]() -> std::uint64_t {
    const auto how = live == LiveRuns::End ? session::LiveRuns::Kill : session::LiveRuns::Refuse;
    const session::Selection selection = selection_of(paths, handle_->project);
    if (selection.everything()) {
      discard_whole(*handle_, how);
      return 0;
    }
    const session::ReviewSession session = open_for(*handle_);
    tell_stage(*handle_->state, Stage::Reading);
    const ReviewSet set = discard::review_to_discard(session, selection);
    const auto items = changes::worth_a_line(discard::selected_of(set, selection));
    discard::discard_paths(session, changes::paths_to_drop(selection, set), how);
    return items.size();
  });
}

}  // namespace shadow::workspace
