// SPDX-License-Identifier: MIT
// argv -> Command, by a table of our own. Beside CLI11, words were still sorted, unknown options
// and missing values found, and help written here, with five workarounds for its version 2.1.

#pragma once

#include "cli/parser/options.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

// A first look at a command line: the program that it is for, and the way to report errors in the
// rest. Never throws.
struct Glance {
  std::string verb;   // the first word that is no option; empty when there is none
  bool json = false;  // --json among the options before and after it, not in `run`'s command

  // Whose session hints have to name; known later than the rest.
  std::optional<std::string> agent{};
};
[[nodiscard]] Glance glance(const std::vector<std::string>& words);

// Reads the words after the program's name. Throws Error (Trouble) with a hint.
[[nodiscard]] Command parse(const std::vector<std::string>& words);

}  // namespace shadow::cli
