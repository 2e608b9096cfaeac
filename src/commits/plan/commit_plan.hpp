// SPDX-License-Identifier: MIT
// Plans the commits of an apply: the refs of the real repository that move, and the refs below
// refs/shadow for commits whose ref cannot.

#pragma once

#include "shadow/commits.hpp"

#include "commits/plan/commit_judge.hpp"
#include "commits/refs/commit_staging.hpp"
#include "commits/refs/session_git.hpp"
#include "git/commits/object_copy.hpp"
#include "session/directory/review_session.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shadow::commits {

struct CommitItem : PlannedRef {
  std::vector<git::TreeDifference> differences;
};

struct CommitPlan {
  std::optional<SessionGit> git;
  std::vector<CommitItem> items;
  std::vector<std::string> objects;  // staged, each after what it refers to
  std::vector<std::string> remarks;  // what a person should know besides

  // Paths at which the commits bring what the diff of the work tree does not show.
  std::vector<std::string> not_shown;
  std::shared_ptr<CommitStaging> staging;

  [[nodiscard]] bool writes() const;
};

// Plans the commits of an apply that keeps the paths `staying` of the work tree in the session: a
// branch whose commits touch one of them cannot move. Objects are checked and staged; the real
// repository is only read. `rows` are the session's commits as they were before its files were
// looked at: of a live session the files are never older than the commits.
[[nodiscard]] CommitPlan plan_commits(const session::ReviewSession& session,
                                      const std::vector<BranchWork>& rows,
                                      const std::vector<std::string>& staying,
                                      const CommitChoice& choice);

// The same for a report: no object is staged, nor checked, and of very many refs only the first are
// compared with what the user has done meanwhile.
[[nodiscard]] CommitPlan foresee_commits(const session::ReviewSession& session,
                                         const std::vector<BranchWork>& rows,
                                         const std::vector<std::string>& staying,
                                         const CommitChoice& choice);

}  // namespace shadow::commits
