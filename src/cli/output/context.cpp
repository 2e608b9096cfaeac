// SPDX-License-Identifier: MIT
#include "cli/output/context.hpp"

#include "upkeep/open_review.hpp"

#include <cstdio>

namespace shadow::cli {

session::ReviewSession Context::open() const {
  return upkeep::open_review({global.directory, global.interlocutor}, print_note);
}

void print_note(const std::string& text) {
  (void)std::fprintf(stderr, "shadow: %s\n", text.c_str());
}

}  // namespace shadow::cli
