// SPDX-License-Identifier: MIT
#include "cli/output/context.hpp"

#include <cstdio>
#include <utility>

namespace shadow::cli {

workspace::State open_state() {
  workspace::Sinks sinks;
  sinks.note = print_note;
  return workspace::State::open(std::move(sinks), workspace::Process::Own);
}

workspace::Project Context::project() const {
  return open_state().project(global.directory);
}

workspace::Review Context::open() const {
  return project().review(global.agent);
}

void print_note(const std::string& text) {
  (void)std::fprintf(stderr, "shadow: %s\n", text.c_str());
}

void print_hint(const std::string& text) {
  (void)std::fprintf(stderr, "hint: %s\n", text.c_str());
}

}  // namespace shadow::cli
