// SPDX-License-Identifier: MIT
// Dropping what a session has of a git directory that lies outside of its project: that of a linked
// work tree or of a sub-module. It is a layer of its own, which paths select as `.git`.

#pragma once

#include "shadow/review.hpp"

#include "session/directory/idle.hpp"
#include "session/directory/review_session.hpp"
#include "session/selection/selection.hpp"

#include <optional>

namespace shadow::discard {

// The session's side of such a directory as one change, if there is any and it is selected.
[[nodiscard]] std::optional<ReviewItem> selected_outer_git(const session::ReviewSession& session,
                                                           const session::Selection& selection);

// Makes the view there what the project has, of a live session through its mount; the session goes
// on from the project's branches. Throws Error (Refused) as discard_paths does.
void discard_outer_git(const session::ReviewSession& session, session::LiveRuns live);

}  // namespace shadow::discard
