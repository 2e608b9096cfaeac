// SPDX-License-Identifier: MIT
// A question on the terminal.

#pragma once

#include <string>

namespace shadow::cli {

// Prints "text [y/N] " on stderr and reads a line; true for y or yes. End of file is no.
[[nodiscard]] bool confirmed(const std::string& text);

}  // namespace shadow::cli
