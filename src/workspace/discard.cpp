// SPDX-License-Identifier: MIT
// Dropping what was not applied.

#include "discard/discard.hpp"

#include "shadow/workspace.hpp"

#include "changes/selection_match.hpp"
#include "commits/show/session_commits.hpp"
#include "discard/outer_git.hpp"
#include "session/directory/remove_session.hpp"
#include "store/tables/sessions.hpp"
#include "upkeep/open_review.hpp"
#include "upkeep/reserve.hpp"
#include "workspace/call/failure.hpp"
#include "workspace/call/paths.hpp"
#include "workspace/call/recovered.hpp"

#include <utility>

namespace shadow {

struct DiscardHandle {
  std::shared_ptr<const ReviewHandle> of;
  std::vector<ReviewItem> items;
  std::vector<std::string> paths;
  bool outer_git = false;  // the git directory lies outside of the project, and is selected
};

}  // namespace shadow

namespace shadow::workspace {

namespace {

session::LiveRuns room_word(LiveRuns live) {
  return live == LiveRuns::End ? session::LiveRuns::Kill : session::LiveRuns::Refuse;
}

// A child of a host would stay a zombie until the host ends.
void delete_files(const StateHandle& state) {
  if (state.process == Process::Own) {
    session::empty_trash_in_background(state.dir);
    return;
  }
  report_stage(state, Stage::CleaningUp);
  try {
    session::empty_trash(state.dir);
  } catch (const Error& error) {
    note_sink(state)(std::string{error.what()} + ": 'shadow gc' removes what is left");
  }
}

// Renaming and deleting need no room, and the database has some afterwards.
void make_room(const StateHandle& state, const std::vector<SessionRecord>& sessions,
               session::LiveRuns live) {
  report_stage(state, Stage::CleaningUp);
  for (const SessionRecord& session : sessions) {
    session::discard_files(state.dir, session, live);
  }
  session::empty_trash(state.dir);
}

}  // namespace

std::vector<SessionRecord> Project::sessions() const {
  return as_call([&] {
    store::Database db = recovered(*handle_);
    const auto rows = store::sessions_of_project(db, root());
    return std::vector<SessionRecord>{rows.begin(), rows.end()};
  });
}

SessionRecord Project::find_session(const std::optional<std::string>& agent) const {
  return as_call([&]() -> SessionRecord {
    try {
      store::Database db = recovered(*handle_);
      const store::SessionRow row =
          upkeep::choose_session(handle_->state->dir, handle_->project, agent, db);
      return static_cast<const SessionRecord&>(row);
    } catch (const Error&) {
      // On a full disk the database cannot be opened, and what is to be dropped makes the room.
      if (upkeep::is_full(handle_->state->dir)) {
        if (auto by_files =
                upkeep::choose_session_by_files(handle_->state->dir, handle_->project, agent)) {
          return std::move(*by_files);
        }
      }
      throw;
    }
  });
}

bool Project::is_whole(const Paths& paths) const {
  return as_call([&] {
    const session::Selection selection = selection_of(paths, handle_->project);
    return selection.wanted().empty() && selection.excluded().empty();
  });
}

std::vector<BranchWork> Project::commits_of(const SessionRecord& session) const {
  return as_call([&]() -> std::vector<BranchWork> {
    const StateDir& state = handle_->state->dir;
    try {
      store::Database db{state.database()};
      const auto row = store::find_session(db, session.id);
      const auto opened = row ? session::open_as_it_is(state, *row) : std::nullopt;
      return opened ? commits::session_commits(*opened) : std::vector<BranchWork>{};
    } catch (const Error&) {
      return {};  // what cannot be read must be removable too
    }
  });
}

void Project::discard(const std::vector<SessionRecord>& sessions, LiveRuns live) const {
  as_call([&] {
    const StateDir& state = handle_->state->dir;
    upkeep::use_reserve_if_full(state);
    if (upkeep::is_full(state)) {
      make_room(*handle_->state, sessions, room_word(live));
    }
    store::Database db{state.database()};
    for (const SessionRecord& session : sessions) {
      if (const auto row = store::find_session(db, session.id)) {
        session::discard_session(state, db, *row, room_word(live));
      }
    }
    delete_files(*handle_->state);
  });
}

DiscardPlan::DiscardPlan(std::shared_ptr<const DiscardHandle> handle) : handle_{std::move(handle)} {
}

const std::vector<ReviewItem>& DiscardPlan::items() const noexcept {
  return handle_->items;
}

void DiscardPlan::execute(LiveRuns live) const {
  as_call([&] {
    if (handle_->outer_git) {
      discard::discard_outer_git(handle_->of->session, room_word(live));
    }
    discard::discard_paths(handle_->of->session, handle_->paths, room_word(live));
  });
}

DiscardPlan Review::plan_discard(const Paths& paths) const {
  return as_call([&] {
    report_stage(*handle_->state, Stage::Reading);
    const session::Selection selection = selection_of(paths, handle_->session.project);
    const ReviewSet set = discard::review_to_discard(handle_->session, selection);
    std::vector<ReviewItem> items = listable(discard::selected_of(set, selection));
    auto outer = discard::selected_outer_git(handle_->session, selection);
    const bool outer_git = outer.has_value();
    if (outer) {
      items.insert(items.begin(), *std::move(outer));
    }
    return DiscardPlan{std::make_shared<const DiscardHandle>(DiscardHandle{
        handle_, std::move(items), changes::paths_to_drop(selection, set), outer_git})};
  });
}

void Review::end_runs() const {
  as_call([&] { discard::end_runs(handle_->session); });
}

std::uint64_t Session::discard(const Paths& paths, LiveRuns live) const {
  const Project project{handle_->of};
  if (project.is_whole(paths)) {
    project.discard({project.find_session(agent())}, live);
    return 0;
  }
  const DiscardPlan plan = review().plan_discard(paths);
  plan.execute(live);
  return plan.items().size();
}

}  // namespace shadow::workspace
