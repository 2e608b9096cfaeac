// SPDX-License-Identifier: MIT
// Resolves a path in a tree component by component, as the kernel does. Nothing is opened: each
// name is looked at in its place.

#pragma once

#include "shadow/entry.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

inline constexpr std::size_t kMostLinks = 40;  // the kernel's own limit, path_resolution(7)

using LookAt = std::function<Entry(const std::string& path)>;

struct LinkWalk {
  // Relative to the root, "" is the root itself. Of a walk that leaves the project: empty.
  std::string end;

  // The symlinks on the way, in their order.
  std::vector<std::string> links;

  // The absolute path at which the walk left the project, of which nothing more is known; empty
  // when it stayed inside.
  std::string outside;

  // More links than the kernel follows, a circle perhaps: where it leads is not known.
  bool endless = false;

  // On the way it goes up again from a name that does not exist: from where that leads to, once it
  // is a link.
  bool up_from_nothing = false;

  [[nodiscard]] bool inside() const { return outside.empty() && !endless; }
};

// Walks `target` from the directory `start` of the tree `root` (an absolute path; `start` is
// relative to it). An absolute target that names something below `root` is inside.
[[nodiscard]] LinkWalk walk_link(const std::string& start, const std::string& target,
                                 const std::string& root, const LookAt& look);

// True if the target goes up after it went down: where "a/../x" leads depends on what "a" is, in
// whichever tree the link lies.
[[nodiscard]] bool turns_back(std::string_view target);

}  // namespace shadow::sensitive
