// SPDX-License-Identifier: MIT
// What the project's own sensitive files name: `tools/env`, say, that its `.envrc` reads. Whoever
// runs the one runs the other.

#pragma once

#include "sensitive/git_named.hpp"
#include "sensitive/link_walk.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow::sensitive {

// What is asked of the trees: a file's text in the project, and whether there is something at a
// path in the project or in the view.
struct LedTrees {
  std::function<std::optional<std::string>(const std::string& path)> read;
  LookAt in_project;
  LookAt in_view;
};

// `files` are paths of the project that find_leading_name() knows. What they name is looked for
// beside them and in each directory above, up to the project's top.
[[nodiscard]] std::vector<NamedPath> paths_led_to(const std::vector<std::string>& files,
                                                  const LedTrees& trees);

}  // namespace shadow::sensitive
