// SPDX-License-Identifier: MIT
// What git has of a project, whatever lies in the work tree by now: `git checkout .` brings back
// what is in its index, `git stash` and `git reset --hard` the commit that HEAD names.

#pragma once

#include "shadow/entry.hpp"

#include "git/index/git_index.hpp"
#include "sensitive/repositories/git_lookalike.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace shadow::changes {

// Nothing is read before it is asked for.
class Tracked {
 public:
  explicit Tracked(std::string root) : root_{std::move(root)} {}

  // The names in a directory ("" is the root) that make it a git directory: in the index, and in
  // the commit, to read which takes longer.
  [[nodiscard]] sensitive::GitMarks marks(const std::string& directory);
  [[nodiscard]] sensitive::GitMarks committed_marks(const std::string& directory);

  // The symlink at a path, in the same two; absent when there is none. One of the index whose text
  // cannot be read leads to "/".
  [[nodiscard]] Entry link(const std::string& path);
  [[nodiscard]] Entry committed_link(const std::string& path);

 private:
  void read_index();
  void read_links();
  void read_commit();

  std::string root_;
  bool knows_index_ = false;
  sensitive::MarksByDirectory marks_;
  std::vector<git::IndexEntry> links_;  // sorted by path
  std::vector<std::string> targets_;    // theirs, once one is asked for
  bool knows_commit_ = false;
  sensitive::MarksByDirectory committed_marks_;
  std::map<std::string, std::string> committed_links_;
};

}  // namespace shadow::changes
