// SPDX-License-Identifier: MIT
// Bringing a session up to the project: what the project has changed since reaches the upper, so
// that the session goes on from there. The real tree is only read.

#pragma once

#include "shadow/review.hpp"

#include "refresh/refresh_plan.hpp"
#include "session/directory/review_session.hpp"
#include "session/selection/selection.hpp"

#include <string>
#include <vector>

namespace shadow::refresh {

struct RefreshedPath {
  ReviewItem item;
  bool merged = false;  // else the session had nothing of its own there, and the project's shows
};

struct RefreshReport {
  std::string place;                // where the caller stands, relative to the project
  std::vector<RefreshedPath> done;  // or to be done
  std::vector<LeftPath> left;       // conflicts: the session's entry is what it was
};

// What a refresh would do; nothing is written.
[[nodiscard]] RefreshReport plan_refresh(const session::ReviewSession& session,
                                         const session::Selection& selection);

// Of each selected path of the session whose real entry drifted: an entry that is its base still is
// taken out of the upper, a text that merges is rewritten with the merge; the base becomes what the
// project has. Ignored files and git directories are not touched. Interrupted, it has done some
// paths and not others, and can be repeated. Of a live session it is done through the view, where
// what is the project's stays as a copy until the session is idle. Throws Error (Refused) when a
// run has one of the files open for writing, and StaleError when they change all the time.
RefreshReport refresh(const session::ReviewSession& session, const session::Selection& selection);

}  // namespace shadow::refresh
