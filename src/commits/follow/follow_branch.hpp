// SPDX-License-Identifier: MIT
// The session's branches and its index follow the project's. A run that has staged something has an
// index of its own, and one that has committed a branch; what the user commits afterwards is in the
// session's files, and without this the agent's next commit would take it back.

#pragma once

#include "commits/refs/session_git.hpp"
#include "commits/refs/writable_git_dir.hpp"
#include "session/directory/review_session.hpp"

namespace shadow::commits {

// Moves each branch of which the project has all commits, and more, to the project's; and then in
// the index each entry that is as the user's commit found it to what the commit made of it. What
// the agent has staged or marked, a branch with commits of its own, and an index of another kind
// (split, sparse) stay, and all of it while a rebase, merge or the like is in progress. Nothing is
// changed but under git's locks, so that a git in the run meets what it met before or what it is to
// meet.
//
// False when that is to be tried again: such work is in progress, git has something locked, or the
// project's HEAD moves just now. Needs the session's lock and the project's. Throws Error.
[[nodiscard]] bool follow_branches(const session::ReviewSession& session, const SessionGit& git,
                                   const GitTree& tree);

// Notes what the project's HEAD is, if the session has no index of its own yet.
void note_followed(const session::ReviewSession& session);

}  // namespace shadow::commits
