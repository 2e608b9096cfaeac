// SPDX-License-Identifier: MIT
// Entries of git's trees, and differences of two trees. Plain data.

#pragma once

#include <string>

namespace shadow::git {

// The modes of a tree's entries.
constexpr unsigned kTreeMode = 0040000;
constexpr unsigned kFileMode = 0100644;
constexpr unsigned kExecutableMode = 0100755;
constexpr unsigned kLinkMode = 0120000;
constexpr unsigned kModuleMode = 0160000;

// One path that differs between two trees. A mode of 0 and an empty id: nothing is there.
struct TreeDifference {
  std::string path;
  unsigned before_mode = 0;
  std::string before_id;
  unsigned after_mode = 0;
  std::string after_id;
};

}  // namespace shadow::git
