// SPDX-License-Identifier: MIT
// Versions of files that a session's commits passed through on the way to what the work tree shows.

#pragma once

#include "commits/refs/session_git.hpp"
#include "git/commits/commit_changes.hpp"
#include "session/directory/review_session.hpp"

#include <set>
#include <string>
#include <vector>

namespace shadow::commits {

// The changes whose version has no line but such as the difference between the project's file and
// the view's has, or both have: of two commits to a file the first one's. Only files that the view
// has with the same permission to execute; not those that cannot be read, are too many, or take too
// long. `work_tree` leads to the repository's paths.
[[nodiscard]] std::set<const git::CommitChange*> passed_versions(
    const session::ReviewSession& session, const SessionGit& git, const std::string& work_tree,
    const std::vector<const git::CommitChange*>& changes);

}  // namespace shadow::commits
