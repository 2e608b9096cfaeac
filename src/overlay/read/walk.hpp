// SPDX-License-Identifier: MIT
// A walk over one or two trees in step, depth first, safe in trees of any depth: no recursion, and
// a bounded number of open directories.

#pragma once

#include "sys/files/fd.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::overlay {

// One tree's directory at a level of the walk.
struct LayerDir {
  bool present = false;  // false as well when it vanished
  sys::Fd dir;           // empty while parked
  std::uint64_t dev = 0;
  std::uint64_t ino = 0;
};

// One directory of the walk: the upper's, the lower's, or both, at the same path.
struct Level {
  LayerDir upper;
  LayerDir lower;                  // shows through, or is hidden by an opaque directory
  bool opaque = false;             // hidden, here and in everything below
  std::vector<std::string> names;  // still to be visited, the next one last
  std::size_t path_length = 0;
};

// The stack of levels from the root to where the walk is.
class LevelStack {
 public:
  // `upper`, `lower`: the roots (borrowed); -1 where there is no such tree.
  LevelStack(int upper, int lower) : upper_{upper}, lower_{lower} {}

  enum class In : std::uint8_t { Upper, Lower, Both };

  // Goes down into the directory `name` of the deepest level ("": the roots) and lists what is to
  // be visited: the names of the upper, and of the lower where it does not show through. A side
  // that has vanished or became something else is left out. Throws SysError naming the path.
  void push(const std::string& name, In in, bool opaque = false);

  // Goes up; the level above has its descriptors open again.
  void pop();

  // The next name of the deepest level; false when there is none left.
  bool take_name(std::string& name);

  [[nodiscard]] bool empty() const { return levels_.empty(); }
  [[nodiscard]] const Level& top() const { return levels_.back(); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void park();

  int upper_;
  int lower_;
  std::string path_;
  std::vector<Level> levels_;
};

// True if `name` below `path` exceeds PATH_MAX (which counts the final NUL). Lists end there: the
// paths of a deep enough chain of directories would fill the memory.
[[nodiscard]] bool is_too_deep(std::string_view path, std::string_view name);

}  // namespace shadow::overlay
