// SPDX-License-Identifier: MIT
// What git's index has of a project, whatever lies in the work tree by now: `git checkout .` and
// `git stash` bring it back beside what an apply wrote.

#pragma once

#include "shadow/entry.hpp"

#include "git/index/git_index.hpp"
#include "sensitive/repositories/git_lookalike.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow::changes {

class Tracked {
 public:
  // Nothing is read before it is asked for.
  explicit Tracked(std::string root) : root_{std::move(root)} {}

  // The names in a directory ("" is the root) that make it a git directory.
  [[nodiscard]] sensitive::GitMarks marks(const std::string& directory);

  // The symlink at a path; absent when there is none. One whose text cannot be read leads to "/".
  [[nodiscard]] Entry link(const std::string& path);

 private:
  void read();
  void read_links();

  std::string root_;
  bool known_ = false;
  sensitive::MarksByDirectory marks_;
  std::vector<git::IndexEntry> links_;  // sorted by path
  std::vector<std::string> targets_;    // theirs, once one is asked for
};

}  // namespace shadow::changes
