// SPDX-License-Identifier: MIT
#include "shadow/workspace.hpp"

#include "session/project/place.hpp"
#include "status/log.hpp"
#include "store/database/database.hpp"
#include "upkeep/open_review.hpp"
#include "workspace/call/failure.hpp"

#include <utility>

namespace shadow::workspace {

Project::Project(std::shared_ptr<const ProjectHandle> handle) : handle_{std::move(handle)} {
}

const std::string& Project::root() const noexcept {
  return handle_->project.root;
}

std::string Project::place() const {
  return session::place_in(handle_->project);
}

Review Project::review(const std::optional<std::string>& agent) const {
  return as_call([&] { return Review{open(handle_->state, handle_->project, agent)}; });
}

std::optional<ShownRun> Project::find_run(std::int64_t id) const {
  return as_call([&] {
    store::Database db{handle_->state->dir.database()};
    upkeep::settle_project(handle_->state->dir, handle_->project, db, note_sink(*handle_->state));
    return status::show_run(db, id);
  });
}

}  // namespace shadow::workspace
