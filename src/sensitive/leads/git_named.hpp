// SPDX-License-Identifier: MIT
// Paths in the project that the user's own git set-up names: configurations and hooks. A change of
// such a file changes what git runs or obeys, although nothing in `.git` changes.

#pragma once

#include "base/git_config_text.hpp"
#include "sensitive/names/git_environment.hpp"
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
  bool of_python = false;         // and only by a name of Python's own modules
  bool in_any_directory = false;  // relative to whichever directory of the project
  bool in_part = false;           // only the part that counts in a file of the name `alias`
  bool right_in = false;          // of what lies below, only what lies right in it
  bool if_fresh = false;          // and only what is new there
};

// A directory in which Python looks for modules before its own.
[[nodiscard]] NamedPath python_directory(std::string directory, std::string reason);

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

// What holds in every repository that the user enters.
struct UserGit {
  std::string home;
  std::vector<std::string> files;        // configurations, absolute
  std::vector<GitConfigEntry> settings;  // of the environment
  std::vector<UserVariable> variables;
};

struct GitSetup {
  std::string root;                         // of the project, or of a tree around it
  std::string top;                          // of the work tree
  std::optional<session::RealGitDir> real;  // its git directory
};

// The user's and the machine's, by the environment.
[[nodiscard]] UserGit user_git(const std::string& home);

// The repository that GIT_DIR names, git(1), for the project at `root`.
[[nodiscard]] std::optional<GitSetup> repository_of_environment(const std::string& root);

// Reads the configurations and what they include, whatever the conditions, and the hooks. Text that
// cannot be read names nothing. `look` is asked for links of the tree at the root, to which all
// paths are relative.
[[nodiscard]] NamedByGit paths_named_by_git(const GitSetup& setup, const UserGit& user,
                                            const LookAt& look);

}  // namespace shadow::sensitive
