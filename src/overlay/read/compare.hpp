// SPDX-License-Identifier: MIT
// One name of an upper and the same name of the lower: what differs.

#pragma once

#include "shadow/entry.hpp"

#include <cstdint>
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
  bool has_attributes = false;  // no difference by itself
  bool acls = false;
  bool capabilities = false;  // the upper's file has some, the lower's has none
  bool copied_up = false;     // the upper's has its origin; no difference by itself

  [[nodiscard]] bool any() const { return content || mode || xattrs || acls || capabilities; }
};

// A file that may not be read counts as different. Throws StaleError when one of the two is no
// longer what the entries say, SysError naming the path.
[[nodiscard]] Difference compare(const Pair& pair);

// Setuid and setgid bits that an entry has and what it takes the place of has not. They and file
// capabilities never come to the project (see shadow/change.hpp).
[[nodiscard]] std::uint32_t gained_bits(const Entry& upper, const Entry& lower);

// The same difference without what never comes to the project.
[[nodiscard]] Difference arriving(Difference difference, const Pair& pair);

}  // namespace shadow::overlay
