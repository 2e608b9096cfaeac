// SPDX-License-Identifier: MIT
// The kind of the standard streams.

#pragma once

#include "cli/parser/options.hpp"

#include <cstddef>

namespace shadow::cli {

[[nodiscard]] bool stdin_is_terminal();
[[nodiscard]] bool stdout_is_terminal();

// True if a question can be asked: stdin and stderr are terminals.
[[nodiscard]] bool can_ask();

// --color, else off with NO_COLOR (no-color.org) or TERM=dumb, else on a terminal.
[[nodiscard]] bool use_color(ColorChoice choice);

// Columns of the terminal: $COLUMNS, else what the kernel says, else 80.
[[nodiscard]] std::size_t terminal_width();

// Its lines as the kernel says, else 24.
[[nodiscard]] std::size_t terminal_height();

}  // namespace shadow::cli
