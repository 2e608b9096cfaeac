// SPDX-License-Identifier: MIT
#include "cli/terminal/terminal.hpp"

#include "cli/terminal/environment.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include <sys/ioctl.h>
#include <unistd.h>

namespace shadow::cli {

bool stdin_is_terminal() {
  return ::isatty(STDIN_FILENO) == 1;
}

bool stdout_is_terminal() {
  return ::isatty(STDOUT_FILENO) == 1;
}

bool can_ask() {
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
}

bool use_color(ColorChoice choice) {
  if (choice != ColorChoice::Auto) {
    return choice == ColorChoice::Always;
  }
  const std::string none = environment("NO_COLOR").value_or("");
  return none.empty() && environment("TERM").value_or("dumb") != "dumb" && stdout_is_terminal();
}

std::size_t terminal_width() {
  constexpr std::size_t kDefault = 80;
  constexpr std::size_t kLeast = 40;
  std::size_t width = 0;
  if (const auto columns = environment("COLUMNS")) {
    std::from_chars(columns->data(), columns->data() + columns->size(), width);
  }
  winsize size{};
  if (width == 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    width = size.ws_col;
  }
  return width == 0 ? kDefault : std::max(width, kLeast);
}

std::size_t terminal_height() {
  constexpr std::size_t kDefault = 24;
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : kDefault;
}

}  // namespace shadow::cli
