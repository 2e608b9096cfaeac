// SPDX-License-Identifier: MIT
// Refs of a git directory, read as text. Not by libgit2, which would open the directory as a
// repository, with its configuration: a run may have written it.

#pragma once

#include "git/repository/git_dirs.hpp"

#include <map>
#include <string>
#include <vector>

namespace shadow::git {

// True if git accepts it as the full name of a ref: "refs/heads/main".
[[nodiscard]] bool is_ref_name(const std::string& name);

struct Refs {
  bool exists = false;   // there is a HEAD
  bool damaged = false;  // packed-refs cannot be read: what is not here may still be there
  std::string head;  // the commit; empty when HEAD names a branch that is not there, or is broken
  bool detached = false;
  bool head_broken = false;
  std::string head_ref;  // the ref that HEAD names, "refs/heads/main"; empty when it is detached

  // "refs/heads/main" -> object: branches, tags and the stash; empty when the ref is broken.
  std::map<std::string, std::string> named;
  std::map<std::string, std::string> aside;    // likewise, below refs/shadow
  std::map<std::string, std::string> remotes;  // likewise, below refs/remotes; never empty ids

  // The commits of the branches and of HEAD.
  [[nodiscard]] std::vector<std::string> branch_commits() const;
};

// Never throws for what the files hold. Names that git refuses are passed over.
[[nodiscard]] Refs read_refs(const GitDirReader& reader);

// The files of a git directory on disk, of a linked worktree together with the common directory.
// For the real repository.
[[nodiscard]] GitDirReader disk_reader(const std::string& git_dir);

// The directory that holds the objects of this git directory.
[[nodiscard]] std::string common_dir(const std::string& git_dir);

}  // namespace shadow::git
