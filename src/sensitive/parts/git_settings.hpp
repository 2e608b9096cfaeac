// SPDX-License-Identifier: MIT
// A configuration of git's that is not the repository's own: a variable names it, an include, or a
// script hands it to git. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// True for a text that git would take for one, and that says what git runs, obeys or includes.
[[nodiscard]] bool is_git_configuration(std::string_view text);

// What it names. Commands are lines of a shell.
struct GitSettings {
  std::vector<std::string> trees;  // directories of hooks and templates
  std::vector<std::string> files;  // that git obeys, or reads as another configuration
  std::string commands;
};
[[nodiscard]] GitSettings git_settings(std::string_view text);

}  // namespace shadow::sensitive
