// SPDX-License-Identifier: MIT
#include "cli/terminal/question.hpp"

#include <cstdio>

namespace shadow::cli {

std::optional<std::string> read_line() {
  std::string line;
  int c = std::fgetc(stdin);
  if (c == EOF) {
    return std::nullopt;
  }
  for (; c != EOF && c != '\n'; c = std::fgetc(stdin)) {
    line += static_cast<char>(c);
  }
  return line;
}

bool confirmed(const std::string& text) {
  (void)std::fprintf(stderr, "%s [y/N] ", text.c_str());
  (void)std::fflush(stderr);
  const std::string line = read_line().value_or("");
  return line == "y" || line == "Y" || line == "yes" || line == "Yes";
}

}  // namespace shadow::cli
