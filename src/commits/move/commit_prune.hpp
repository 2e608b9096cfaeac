// SPDX-License-Identifier: MIT
// Commits that arrived leave the session.

#pragma once

#include "session/directory/review_session.hpp"

namespace shadow::commits {

// Takes out of the session's git directory what the real repository has by now: objects, refs that
// say the same, their logs, an index with the same entries. What fails is tried after the next
// apply. Needs the session's locks.
void drop_promoted(const session::ReviewSession& session);

}  // namespace shadow::commits
