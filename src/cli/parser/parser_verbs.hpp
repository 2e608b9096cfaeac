// SPDX-License-Identifier: MIT
// One function a command: declares its options and reads its words. Only parser*.cpp include this.

#pragma once

#include "cli/parser/options.hpp"
#include "cli/parser/parser_binder.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

// Declares a command's own options, and makes its options from the positional words after a parse.
struct VerbParser {
  Positionals positionals = Positionals::None;
  std::function<Verb(std::vector<std::string> words)> finish;
};

// `binder` must outlive the parser, and the fields are bound to what the parser owns. An empty
// `finish` means that there is no such command.
[[nodiscard]] VerbParser declare_run_verb(std::string_view verb, Binder& binder);
[[nodiscard]] VerbParser declare_review_verb(std::string_view verb, Binder& binder);

void declare_globals(Binder& binder, GlobalOptions& global);

// A decimal number; throws Error naming the option or argument `what`.
[[nodiscard]] std::int64_t number_of(const std::string& what, const std::string& text);

}  // namespace shadow::cli
