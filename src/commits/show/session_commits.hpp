// SPDX-License-Identifier: MIT
// What a session has to review in commits.

#pragma once

#include "shadow/commits.hpp"

#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::commits {

// The commits that the session made; empty when the real project is no git repository.
[[nodiscard]] std::vector<BranchWork> session_commits(const session::ReviewSession& session);

}  // namespace shadow::commits
