// SPDX-License-Identifier: MIT
// Bringing a session up to the project: what the project has changed since reaches the upper, so
// that the session goes on from there. The real tree is only read.

#pragma once

#include "shadow/refresh.hpp"

#include "session/directory/review_session.hpp"
#include "session/selection/selection.hpp"

namespace shadow::refresh {

// Plans a refresh; nothing is written.
[[nodiscard]] RefreshReport plan_refresh(const session::ReviewSession& session,
                                         const session::Selection& selection);

// For each selected path of the session whose real entry drifted: an entry that is its base still
// is taken out of the upper, a text that merges is rewritten with the merge; the base becomes what
// the project has. Ignored files and git directories are not touched. Interrupted, it has done some
// paths and not others, and can be repeated. Of a live session it is done through the view, where
// what is the project's stays as a copy until the session is idle. Throws Error (Refused) when a
// run has one of the files open for writing, and StaleError when they change all the time.
RefreshReport refresh(const session::ReviewSession& session, const session::Selection& selection);

}  // namespace shadow::refresh
