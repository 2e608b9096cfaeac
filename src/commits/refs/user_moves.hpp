// SPDX-License-Identifier: MIT
// What the user has done to the project's branches since a session began, by the logs of its refs.
// Not by libgit2, which would open the directory as a repository and read each log as a whole.

#pragma once

#include "commits/refs/session_git.hpp"
#include "session/directory/followed_head.hpp"
#include "session/directory/review_session.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shadow::commits {

// From one commit to another one: a commit, checkout, pull or reset of the user's, or what another
// session's apply did.
struct UserMove {
  std::string from;
  std::string to;

  // Of a checkout the branches ("refs/heads/main"), also where their names are a commit's; empty of
  // anything else.
  std::string left{};
  std::string entered{};
};

// Those of a ref ("refs/heads/main"), or of "HEAD" in the project's own work tree; newest first. Of
// very many the last ones, and all of them as one. None where git keeps no log of it.
[[nodiscard]] std::vector<UserMove> user_moves(const session::ReviewSession& session,
                                               const SessionGit& git, const std::string& ref);

// Those of HEAD since it was noted as followed, also where they lead back to the same commit;
// nullopt where the log does not go on from that.
[[nodiscard]] std::optional<std::vector<UserMove>> user_moves_since(
    const session::ReviewSession& session, const SessionGit& git,
    const session::FollowedHead& followed);

// What this session's own applies, and their undos, have given a ref; "" is any.
[[nodiscard]] std::set<std::string> applied_commits(const session::ReviewSession& session,
                                                    const std::string& ref);

}  // namespace shadow::commits
