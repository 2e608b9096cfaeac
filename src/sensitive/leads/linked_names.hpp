// SPDX-License-Identifier: MIT
// Paths that the project's own links make sensitive: `tools/env`, for example, if `.envrc` is a
// link to it.

#pragma once

#include "sensitive/leads/git_named.hpp"
#include "sensitive/walk/link_walk.hpp"

#include <string>
#include <vector>

namespace shadow::sensitive {

struct ProjectLinks {
  const std::vector<std::string>& paths;  // sorted
  const std::string& root;                // of the project
  const std::string& above;               // as that of SensitivePlaces
  const LookAt& look;                     // into it
};

// The ends of those links that have a sensitive name, by the list or by the user's patterns, or lie
// below one of `obeyed`, and the links on the way there; of links in a directory to which such a
// link leads, likewise.
[[nodiscard]] std::vector<NamedPath> paths_linked_by_names(const ProjectLinks& links,
                                                           const std::vector<std::string>& patterns,
                                                           const std::vector<NamedPath>& obeyed);

}  // namespace shadow::sensitive
