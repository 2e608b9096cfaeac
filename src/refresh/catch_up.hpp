// SPDX-License-Identifier: MIT
// What follows an apply that is done: the same as keep_up, also for a session at rest. There, what
// hides the project's is taken out.

#pragma once

#include "session/directory/review_session.hpp"

namespace shadow::refresh {

// Has the session show the project's where its own entry is only a copy of what the project once
// had: one that was touched, or written with what it had before. Its base stays, as in keep_up.
// Does nothing while another command works on it or on the project, and of a live session no more
// than some: the rest follows in the background.
void catch_up(const session::ReviewSession& session);

}  // namespace shadow::refresh
