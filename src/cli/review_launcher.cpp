// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "cli/launcher.hpp"
#include "cli/parser.hpp"
#include "cli/program.hpp"
#include "sys/process.hpp"

#include <algorithm>
#include <csignal>
#include <variant>

namespace shadow::cli {

namespace {

int dispatch(const Command& command) {
  return print_text(std::get<PrintText>(command.verb));
}

}  // namespace

int review(int argc, char** argv) {
  Glance seen;
  return guarded(seen, [&] {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    seen = glance(words);
    const Command command = parse(words);
    // A reader that goes away must not end an apply halfway: writing to it fails instead.
    (void)std::signal(SIGPIPE, SIG_IGN);
    // Files of mode 0 are part of a session too; where the kernel refuses, they are reported.
    (void)sys::enter_own_user_namespace();
    return dispatch(command);
  });
}

}  // namespace shadow::cli
