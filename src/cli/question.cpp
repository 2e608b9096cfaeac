// SPDX-License-Identifier: MIT
#include "cli/question.hpp"

#include <cstdio>

namespace shadow::cli {

bool confirmed(const std::string& text) {
  (void)std::fprintf(stderr, "%s [y/N] ", text.c_str());
  (void)std::fflush(stderr);
  std::string line;
  for (int c = std::fgetc(stdin); c != EOF && c != '\n'; c = std::fgetc(stdin)) {
    line += static_cast<char>(c);
  }
  return line == "y" || line == "Y" || line == "yes" || line == "Yes";
}

}  // namespace shadow::cli
