// SPDX-License-Identifier: MIT
// Paths that the project's own links make sensitive: `tools/env`, for example, if `.envrc` is a
// link to it.

#pragma once

#include "sensitive/leads/git_named.hpp"
#include "sensitive/walk/link_walk.hpp"

#include <string>
#include <vector>

namespace shadow::sensitive {

struct LinkedProject {
  const std::string& root;
  const std::string& above;  // as that of SensitivePlaces
  const LookAt& look;        // into the project
};

// The ends of those links that have a sensitive name, by the list or by the user's patterns, and
// the links on the way there.
[[nodiscard]] std::vector<NamedPath> paths_linked_by_names(const std::vector<std::string>& links,
                                                           const std::vector<std::string>& patterns,
                                                           const LinkedProject& project);

}  // namespace shadow::sensitive
