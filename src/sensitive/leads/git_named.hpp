// SPDX-License-Identifier: MIT
// Paths in the project that the user's own git set-up names: configurations and hooks. A change of
// such a file changes what git runs or obeys, although nothing in `.git` changes.

#pragma once

#include "sensitive/walk/link_walk.hpp"
#include "session/project/git_dir.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// One path of the project, and the reason for a change there.
struct NamedPath {
  std::string path;
  std::string reason;
  bool below = false;     // what lies below it counts as well
  bool anywhere = false;  // relative to the top of any work tree in the project, not this one alone
  std::string alias{};    // another name of it; what lies below counts if it does by that name
  bool fresh_module = false;      // only what is new in this directory, and Python could load
  bool in_any_directory = false;  // relative to whichever directory of the project
};

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

struct GitSetup {
  std::string root;                         // of the project
  std::string top;                          // of the work tree, which is the project or lies in it
  std::optional<session::RealGitDir> real;  // its git directory
  std::string home;
  std::vector<std::string> user_files;  // configurations outside of the project, absolute
};

// Paths of the user's and the machine's configurations, by the environment.
[[nodiscard]] std::vector<std::string> user_git_configs(const std::string& home);

// Reads the configurations and what they include, whatever the conditions, and the hooks. Text that
// cannot be read names nothing. `look` is asked for links of the project's tree.
[[nodiscard]] NamedByGit paths_named_by_git(const GitSetup& setup, const LookAt& look);

}  // namespace shadow::sensitive
