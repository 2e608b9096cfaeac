// SPDX-License-Identifier: MIT
// Paths in the project that the user's own git set-up names: configurations and hooks. A change of
// such a file changes what git runs or obeys, although nothing in `.git` changes.

#pragma once

#include "sensitive/leads/git_setup.hpp"
#include "sensitive/leads/named_path.hpp"
#include "sensitive/walk/link_walk.hpp"

#include <string>
#include <vector>

namespace shadow::sensitive {

// A text of the user's, outside of the project or one value of a configuration, that names what
// runs: where its words are looked for in the project, and what is said of that.
struct LeadingText {
  std::string text;
  std::vector<std::string> directories;
  std::string reason;
};

struct NamedByGit {
  std::vector<NamedPath> paths;
  std::vector<LeadingText> texts;
};

// Reads the configurations and what they include, whatever the conditions, and the hooks. Text that
// cannot be read names nothing. `look` is asked for links of the tree at the root, to which all
// paths are relative.
[[nodiscard]] NamedByGit paths_named_by_git(const GitSetup& setup, const UserGit& user,
                                            const LookAt& look);

}  // namespace shadow::sensitive
