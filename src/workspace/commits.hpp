// SPDX-License-Identifier: MIT
// The commits of a session, and from where they are read.

#pragma once

#include "shadow/commits.hpp"

#include "commits/plan/new_history.hpp"
#include "commits/refs/session_git.hpp"
#include "workspace/call/handle.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

class CommitsHandle {
 public:
  CommitsHandle(std::shared_ptr<const ReviewHandle> of, std::vector<BranchWork> refs);

  // For a repository that the session made.
  CommitsHandle(std::shared_ptr<const ReviewHandle> of, commits::NewCommits commits,
                std::vector<std::string> not_shown = {});

  [[nodiscard]] const session::ReviewSession& session() const { return of_->session; }
  [[nodiscard]] const std::vector<BranchWork>& refs() const { return refs_; }
  [[nodiscard]] const std::string& new_git_dir() const { return new_git_dir_; }
  [[nodiscard]] const std::vector<std::string>& not_shown() const { return not_shown_; }

  // Null when there is none.
  [[nodiscard]] const commits::SessionGit* find_git() const;

  // Throws Failure (Trouble) when there is none.
  [[nodiscard]] const commits::SessionGit& git() const;

 private:
  std::shared_ptr<const ReviewHandle> of_;
  std::vector<BranchWork> refs_;
  std::string new_git_dir_;  // "": the project's own
  std::vector<std::string> not_shown_;
  mutable bool looked_ = false;  // nobody who lists them needs more
  mutable std::optional<commits::SessionGit> git_;
};

}  // namespace shadow
