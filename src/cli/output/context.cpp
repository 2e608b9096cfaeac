// SPDX-License-Identifier: MIT
#include "cli/output/context.hpp"

#include <cstdio>
#include <exception>
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

std::optional<std::string> Context::agent_to_name() const {
  if (global.agent) {
    return global.agent;
  }
  try {
    const workspace::Project of = project();
    return of.sessions().size() > 1 ? std::optional{of.find_session().agent} : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;  // no session is meant; what went wrong before is what is told
  }
}

void print_note(const std::string& text) {
  (void)std::fprintf(stderr, "shadow: %s\n", text.c_str());
}

void print_hint(const std::string& text) {
  (void)std::fprintf(stderr, "hint: %s\n", text.c_str());
}

}  // namespace shadow::cli
