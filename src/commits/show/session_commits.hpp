// SPDX-License-Identifier: MIT
// The commits of a session to review.

#pragma once

#include "shadow/commits.hpp"

#include "commits/plan/new_history.hpp"
#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::commits {

// The commits that the session made; empty when the real project is no git repository.
[[nodiscard]] std::vector<BranchWork> session_commits(const session::ReviewSession& session,
                                                      Listed listed = Listed::Newest);

// The commits of the repositories that the session made, unless git ignores where they lie.
[[nodiscard]] std::vector<NewCommits> commits_of_new_repositories(
    const session::ReviewSession& session, Listed listed);

}  // namespace shadow::commits
