// SPDX-License-Identifier: MIT
// Paths that the project's own sensitive files name, and that those files name in turn:
// `tools/env`, say, that its `.envrc` reads. Whoever runs the one runs the other.

#pragma once

#include "sensitive/leads/git_named.hpp"
#include "sensitive/leads/project_links.hpp"
#include "sensitive/walk/link_walk.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow::sensitive {

// Questions to the trees: a file's text in the project, and whether there is something at a path in
// the project or in the view.
struct LedTrees {
  std::function<std::optional<std::string>(const std::string& path)> read;
  LookAt in_project;
  LookAt in_view;
  std::string root{};  // of the project, where a text may name it by its whole path
  std::string home{};
  std::string above{};                  // as that of SensitivePlaces
  std::string whose{"the project's "};  // before the names of files in reasons
};

// The files and directories in which the search for names begins.
struct LeadSources {
  std::vector<LeadingFile> files;    // of the project, that find_leading_name() knows
  std::vector<std::string> scripts;  // of the project, that something else is known to run
  std::vector<LeadingText> texts;    // of hooks, commands, start files
};

// A name is looked for beside the file that contains it (of a link: and beside its target), in each
// directory above, up to the project's top, and in directories that the file changes to. Names in a
// named script are looked for likewise, over a few steps.
[[nodiscard]] std::vector<NamedPath> paths_led_to(const LeadSources& sources,
                                                  const LedTrees& trees);

}  // namespace shadow::sensitive
