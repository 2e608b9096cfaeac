// SPDX-License-Identifier: MIT
// One name of an upper and the same name of the lower: what differs.

#pragma once

#include "shadow/entry.hpp"

#include "overlay/scan.hpp"

#include <string>

namespace shadow::overlay {

// Two entries of one kind, and the directories they are in.
struct Pair {
  int upper_dir;
  int lower_dir;
  const std::string& name;
  const std::string& path;  // for messages
  const Entry& upper;
  const Entry& lower;
};

struct Difference {
  bool content = false;  // bytes of a file, target of a symlink, number of a device
  bool mode = false;
  bool xattrs = false;

  [[nodiscard]] bool any() const { return content || mode || xattrs; }
};

// A file that may not be read counts as different. Large files are not read where `known` knows of
// them. Throws StaleError when one of the two is not
// what the entries say any more, SysError naming the path.
[[nodiscard]] Difference compare(const Pair& pair, const KnownContents& known);

}  // namespace shadow::overlay
