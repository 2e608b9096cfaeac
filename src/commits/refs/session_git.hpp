// SPDX-License-Identifier: MIT
// The git directory of a session: the real one, and the layer over it.

#pragma once

#include "git/repository/git_dirs.hpp"
#include "session/directory/review_session.hpp"
#include "session/project/git_dir.hpp"
#include "sys/files/fd.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow::commits {

// The layer is the project's, or, when the git directory lies outside of it (a linked work tree, a
// sub-module), one of its own.
struct SessionGit {
  session::RealGitDir real;
  git::GitDirs dirs;  // how the review room reads the two
  bool in_project = true;
  sys::Fd upper;           // of the layer
  sys::Fd lower;           // likewise
  std::string prefix;      // of refs and objects in the layer: ".git/" or ""
  std::string own_prefix;  // of HEAD and the index
  std::string work_tree;   // where its files lie in the project: "", or "sub/"
  sys::Fd objects;         // of a repository that the project has not yet
};

// nullopt when the real project has no git directory of a kind that is known here, or the session
// did not touch it.
[[nodiscard]] std::optional<SessionGit> find_session_git(const session::ReviewSession& session);

// A git directory of the session's own making, "sub/.git", of which the project has nothing.
[[nodiscard]] SessionGit new_session_git(const session::ReviewSession& session,
                                         const std::string& git_dir);

// True if refs are kept in tables (git 2.45 can) instead of files.
[[nodiscard]] bool has_ref_tables(const session::RealGitDir& real);

// "Name <address>" of whoever uses this repository: from the environment, the repository's or the
// user's own git configuration; nullopt when none of them says it.
[[nodiscard]] std::optional<std::string> git_identity(const std::string& common_dir);

}  // namespace shadow::commits
