// SPDX-License-Identifier: MIT
// Questions, on the terminal or through a pipe.

#pragma once

#include <optional>
#include <string>

namespace shadow::cli {

// A line of the standard input without its end; nullopt when there is no more.
[[nodiscard]] std::optional<std::string> read_line();

// Prints "text [y/N] " on stderr and reads a line; true for y or yes. End of file is no.
[[nodiscard]] bool confirmed(const std::string& text);

}  // namespace shadow::cli
