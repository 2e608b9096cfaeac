// SPDX-License-Identifier: MIT
// A commit made of another one and files that differ from it. Its trees are written by hand:
// libgit2's builders write into the object database that they read, while here the project's and
// the session's objects are read and the new ones go to a third place.

#pragma once

#include "base/digest.hpp"
#include "git/repository/git_dirs.hpp"
#include "sys/files/fd.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace shadow::git {

// The new tree's entry at a path; mode 0 removes it.
struct TreeEdit {
  std::string path;
  unsigned mode = 0;
  std::string target;  // of a symlink
};

struct CommitRequest {
  std::string parent;  // a commit, whose tree is edited; "" for none
  std::vector<TreeEdit> edits;
  std::function<sys::Fd(const std::string& path)> open;  // a regular file, for reading

  // Asked in the child for each file: may the tree have this content? Empty: any content.
  std::function<bool(const std::string& path, const Digest& content)> accepts{};
  std::string identity;  // "Name <address>"
  std::string message;
  std::int64_t time = 0;
};

struct StagedCommit {
  std::string fault;                 // as the end of a sentence; empty when it was made
  std::string refused;               // the path of which something was not accepted
  std::string id;                    // the parent's when the tree is the same
  std::size_t changed = 0;           // paths that differ from the parent
  std::vector<std::string> objects;  // staged, each after what it refers to
};

// Writes its blobs, trees and the commit as loose objects below `staging`. Contents are taken as
// they are, without filters. A path below a sub-module is left out. In a process of its own.
[[nodiscard]] StagedCommit stage_commit(const GitDirs& dirs, const CommitRequest& request,
                                        const std::string& staging);

}  // namespace shadow::git
