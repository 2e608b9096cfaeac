// SPDX-License-Identifier: MIT
// The history of a repository that a session made: it arrives file by file, with its .git, and is
// judged as the commits of the project's own repository are.

#pragma once

#include "shadow/commits.hpp"

#include "commits/plan/commit_judge.hpp"
#include "commits/refs/session_git.hpp"
#include "session/directory/review_session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::commits {

// How many of a ref's commits are listed: enough for a person to know it by, or what there is to
// read before an apply.
enum class Listed : std::uint8_t { Newest, All };
[[nodiscard]] std::vector<BranchWork> listed_work(const git::GitDirs& dirs, Listed listed);

// The branches, tags and remotes' branches of a new repository, their names with that of the work
// tree before them.
struct NewCommits {
  std::string git_dir;
  SessionGit git;
  std::vector<BranchWork> rows;
};
[[nodiscard]] NewCommits new_repository_commits(const session::ReviewSession& session,
                                                const std::string& git_dir, Listed listed);

// `objects`: the files of its objects that are to be written. They are copied first, and the copies
// are judged, each object by its hash, and kept for the writing. Null for
// callers that only report: then the session's own files are judged.
[[nodiscard]] NewHistory judge_new_history(const session::ReviewSession& session,
                                           const std::string& git_dir, const CommitChoice& choice,
                                           const std::vector<std::string>* objects = nullptr);

}  // namespace shadow::commits
