// SPDX-License-Identifier: MIT
// Where git finds its configuration and its repository, by the caller's environment.

#pragma once

#include "base/git_config_text.hpp"
#include "sensitive/names/git_environment.hpp"
#include "session/project/git_dir.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow::sensitive {

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

}  // namespace shadow::sensitive
