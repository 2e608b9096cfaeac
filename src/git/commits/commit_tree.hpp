// SPDX-License-Identifier: MIT
// The files of one commit, to be looked at by path where nothing has them checked out.

#pragma once

#include "git/objects/tree_difference.hpp"
#include "git/repository/git_refs.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace shadow::git {

class CommitTree {
 public:
  // Borrows the database. Throws Error when the tree cannot be read or has no bounds.
  CommitTree(git_odb* odb, const std::string& commit);

  // By path, without directories: git's mode and the object.
  struct File {
    unsigned mode = 0;
    std::string id;
  };
  [[nodiscard]] const std::map<std::string, File>& files() const { return files_; }

  // Of a file as well as of a directory; 0 where there is nothing.
  [[nodiscard]] unsigned mode_of(const std::string& path) const;

  // What a file has, or the target of a symlink; nullopt for all else and for what is longer.
  [[nodiscard]] std::optional<std::string> text(const std::string& path, std::size_t most) const;

 private:
  git_odb* odb_;
  std::map<std::string, File> files_;
  std::set<std::string> directories_;
};

// Has `work` look into a commit of the session, in a child with limits as all that reads a
// session's objects, and returns its result; nullopt if that did not come to an end.
[[nodiscard]] std::optional<std::string> look_into_commit(
    const GitDirs& dirs, const std::string& commit,
    const std::function<std::string(const CommitTree&)>& work);

}  // namespace shadow::git
