// SPDX-License-Identifier: MIT
#include "commits/show/session_commits.hpp"

#include "changes/review_set.hpp"
#include "commits/move/commit_arrived.hpp"
#include "commits/refs/session_git.hpp"

namespace shadow::commits {

std::vector<BranchWork> session_commits(const session::ReviewSession& session, Listed listed) {
  const auto git = find_session_git(session);
  if (!git) {
    return {};
  }
  std::vector<BranchWork> rows = listed_work(git->dirs, listed);
  std::erase_if(rows, [&](const BranchWork& work) { return has_arrived(session, *git, work); });
  return rows;
}

std::vector<NewCommits> commits_of_new_repositories(const session::ReviewSession& session,
                                                    Listed listed) {
  std::vector<NewCommits> found;
  const ReviewSet set =
      changes::review_changes(session, session::Selection{}, changes::WalkGitDirs::No);
  for (const NewGitDir& dir : set.new_git_dirs) {
    if (!dir.ignored) {
      found.push_back(new_repository_commits(session, dir.path, listed));
    }
  }
  return found;
}

}  // namespace shadow::commits
