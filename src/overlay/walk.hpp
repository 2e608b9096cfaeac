// SPDX-License-Identifier: MIT
// A walk over one or two trees in step, depth first, safe in trees of any depth: no recursion, and
// a bounded number of open directories.

#pragma once

#include "sys/fd.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace shadow::overlay {

// One directory of the walk: the upper's, the lower's, or both, at the same path.
struct Level {
  std::string path;
  sys::Fd upper;  // empty: there is none (or it is parked)
  sys::Fd lower;
  bool in_upper = false;
  bool in_lower = false;  // and visible or hidden by an opaque directory
  bool opaque = false;    // the lower does not show through
  bool xattr_whiteouts = false;
  std::vector<std::string> names;  // still to be visited, the next one last
};

// The stack of levels from the root to where the walk is.
class LevelStack {
 public:
  // `upper`, `lower`: the roots (borrowed); -1 where there is no such tree.
  LevelStack(int upper, int lower) : upper_{upper}, lower_{lower} {}

  // Goes down into a directory. Its descriptors are opened from the level above (or the roots), not
  // followed; one that has vanished or became something else leaves its side out. Lists the names.
  void push(Level level);
  void pop() { levels_.pop_back(); }

  [[nodiscard]] bool empty() const { return levels_.empty(); }
  // The deepest level, its descriptors open.
  [[nodiscard]] Level& top();

 private:
  void open_sides(Level& level);
  void list_names(Level& level) const;
  void park();

  int upper_;
  int lower_;
  std::vector<Level> levels_;
};

}  // namespace shadow::overlay
