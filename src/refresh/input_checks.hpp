// SPDX-License-Identifier: MIT
// Checks during a refresh that its input is as planned: the user and the runs are at work
// meanwhile.

#pragma once

#include "shadow/entry.hpp"

#include "refresh/refresh_plan.hpp"
#include "session/directory/review_session.hpp"

#include <string>

namespace shadow::refresh {

// Makes sure that an entry was read in this state: an edit within the same tick of the clock would
// leave the state as it was, and none can come once the tick is over.
void let_tick_pass(const Entry& real);

// Throws StaleError when the two looks at the path did not see the same.
void require_same(const Entry& now, const Entry& then, const std::string& path);

// The entry of the upper that was reviewed, for an edit of the view that is to replace it: where
// the session has deleted the path, the whiteout, and nothing where it is in a directory that shows
// nothing of the project's. Throws StaleError when there is something else by now.
[[nodiscard]] Entry reviewed_entry(const session::ReviewSession& session, const RefreshStep& step);

}  // namespace shadow::refresh
