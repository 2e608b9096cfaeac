// SPDX-License-Identifier: MIT
// Commits of a session that reached the project without an apply: the user merged saved commits.

#pragma once

#include "shadow/commits.hpp"

#include "commits/refs/session_git.hpp"
#include "session/directory/review_session.hpp"

#include <string>
#include <vector>

namespace shadow::commits {

// True if the row means only that the project moved on: one of its own branches has all of the
// commits, and the session did not move the ref back; or was_applied().
[[nodiscard]] bool has_arrived(const session::ReviewSession& session, const SessionGit& git,
                               const BranchWork& work);

// True if an apply gave the project's branch what the session's has, and the user has rewritten
// that since: amended, reset or rebased it. The session has nothing of its own there, and what the
// user dropped is dropped.
[[nodiscard]] bool was_applied(const session::ReviewSession& session, const SessionGit& git,
                               const BranchWork& work);

// Removes the refs below refs/shadow/ of this session whose commits a branch of the project has by
// now; returns their names. The session's own git directory follows once it is idle.
[[nodiscard]] std::vector<std::string> drop_arrived_refs(const session::ReviewSession& session);

}  // namespace shadow::commits
