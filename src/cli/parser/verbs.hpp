// SPDX-License-Identifier: MIT
// The names of the commands, and what each does in one line; and commands that a hint proposes.

#pragma once

#include <optional>
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

// A hint in which each proposed command that is about one session ('shadow diff PATH') names that
// of the agent, if there is one: it does what it says when it is typed as it stands.
[[nodiscard]] std::string with_agent(std::string hint, const std::optional<std::string>& agent);

// The text of `shadow --help`.
[[nodiscard]] std::string general_help();

}  // namespace shadow::cli
