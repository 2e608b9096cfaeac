// SPDX-License-Identifier: MIT
// Commits that take back what the user has committed meanwhile: they were made from an index, or
// from files, of before.

#pragma once

#include "shadow/commits.hpp"

#include "commits/plan/commit_judge.hpp"
#include "commits/refs/session_git.hpp"
#include "git/objects/tree_entry.hpp"
#include "git/repository/git_refs.hpp"
#include "session/directory/review_session.hpp"

#include <map>
#include <string>
#include <vector>

namespace shadow::commits {

// What tells it. Borrowed.
struct TakenBackSources {
  const session::ReviewSession& session;
  const SessionGit& git;
  const git::Refs& real;
};

// The first path at which the commits of a branch take back what a commit, checkout or other move
// of the user's has brought since the session began; "" when there is none, and where the project
// keeps no log of its refs. By the whole file or by the lines of a text (changes::worked_on_text).
// `differences` lead from the project's branch to the session's. What an apply leaves in the work
// tree as the commits have it is the session's work, and nothing taken back: `judge` knows what the
// session has there, `choice` which of it an apply brings, and where it writes something else.
[[nodiscard]] std::string path_taken_back(const TakenBackSources& sources, const BranchWork& work,
                                          const std::vector<git::TreeDifference>& differences,
                                          const CommitJudge& judge, const CommitChoice& choice);

// Those of the paths at which the session's work tree has not what the user has brought to the
// project's HEAD since the session began: an older text there, or, where the
// value is true, one without all of it. Paths of the project.
[[nodiscard]] std::vector<std::string> paths_behind_head(const TakenBackSources& sources,
                                                         const std::map<std::string, bool>& paths);

}  // namespace shadow::commits
