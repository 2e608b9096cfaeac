// SPDX-License-Identifier: MIT
// What follows an apply that is done: the same as keep_up, also for a session at rest. There, what
// hides the project's is taken out.

#pragma once

#include "session/directory/review_session.hpp"

#include <set>
#include <string>

namespace shadow::refresh {

// Has the session show the project's where its own entry is only a copy of what the project once
// had: one that was touched, or written with what it had before. Its base stays, as in keep_up.
// Does nothing while another command works on it or on the project, and of a live session no more
// than some: the rest follows in the background.
void catch_up(const session::ReviewSession& session);

// The same at the end of a run, if it may have left something of the kind. The caller holds the
// session's locks, and nothing of it runs.
void catch_up_at_rest(const StateDir& state, const std::string& session);

// The same before a run starts, where more has come to directories of the project that the session
// has made anew. For what git ignores no run waits.
void show_in_made_anew(const StateDir& state, const std::string& session);

// The same of a live session at these paths alone: a young run is not followed yet, and would write
// on in what it had before a merge.
void catch_up_live(const session::ReviewSession& session, std::set<std::string> paths);

}  // namespace shadow::refresh
