// SPDX-License-Identifier: MIT
// Commits that take back what the user has committed meanwhile.

#pragma once

#include "commits/plan/commit_judge.hpp"
#include "commits/refs/session_git.hpp"
#include "git/objects/tree_entry.hpp"
#include "session/directory/review_session.hpp"

#include <string>
#include <vector>

namespace shadow::commits {

// The first path at which the commits give the project's branch what a commit, checkout or other
// move of the user's has replaced since the session began, though the session's work tree has what
// replaced it: they were made from an index of before. "" when there is none, and where the project
// keeps no log of its HEAD. `differences` lead from the project's branch to the session's.
[[nodiscard]] std::string path_taken_back(const session::ReviewSession& session,
                                          const SessionGit& git, const CommitJudge& judge,
                                          const std::vector<git::TreeDifference>& differences);

}  // namespace shadow::commits
