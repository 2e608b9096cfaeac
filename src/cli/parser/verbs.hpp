// SPDX-License-Identifier: MIT
// The names of the commands, and what each does in one line.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

struct VerbName {
  std::string_view name;
  std::string_view arguments;  // for the usage line
  std::string_view summary;
};

// All verbs in the order of the help, without hidden helpers.
[[nodiscard]] const std::vector<VerbName>& verb_names();

// The text of `shadow --help`.
[[nodiscard]] std::string general_help();

}  // namespace shadow::cli
