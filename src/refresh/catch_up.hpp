// SPDX-License-Identifier: MIT
// The same as keep_up for a session at rest: there, what hides the project's is taken out.

#pragma once

#include "session/directory/review_session.hpp"

namespace shadow::refresh {

// Has the session show the project's where its own entry is only a copy of what the project once
// had: one that was touched, or written with what it had before. Its base stays, as in keep_up.
// Does nothing while the session is live, or another command works on it or on the project: what
// follows an apply that is done.
void catch_up(const session::ReviewSession& session);

}  // namespace shadow::refresh
