// SPDX-License-Identifier: MIT
#include "launcher/launcher.hpp"

#include "cli/parser/parser.hpp"
#include "cli/parser/verbs.hpp"
#include "cli/program.hpp"
#include "launcher/handover.hpp"
#include "launcher/nested.hpp"
#include "launcher/run.hpp"

#include <algorithm>
#include <variant>

namespace shadow::launcher {

namespace {

bool is_review_verb(const std::string& verb) {
  const auto& names = cli::verb_names();
  return verb != "run" && verb != "shell" &&
         std::any_of(names.begin(), names.end(),
                     [&verb](const cli::VerbName& known) { return known.name == verb; });
}

int work(const std::vector<std::string>& words, cli::Glance& seen) {
  const std::string& verb = seen.verb;
  if (is_review_verb(verb)) {
    const bool help = std::find(words.begin(), words.end(), "--help") != words.end();
    if (const auto inside = session::find_inside(); inside && !help && verb != "completion") {
      refuse_inside(*inside, verb);
    }
    hand_over(words);
  }
  const cli::Command command = cli::parse(words);
  seen.agent = command.global.agent;
  if (const auto* run = std::get_if<cli::RunOptions>(&command.verb)) {
    return run_command(command.global, *run);
  }
  if (const auto* shell = std::get_if<cli::ShellOptions>(&command.verb)) {
    return run_shell(command.global, *shell);
  }
  return cli::print_text(std::get<cli::PrintText>(command.verb));
}

}  // namespace

int launch(int argc, char** argv) {
  cli::Glance seen;
  return cli::guarded(seen, [&] {
    // A caller of execve(2) may pass no argv[0] at all.
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    seen = cli::glance(words);
    return work(words, seen);
  });
}

}  // namespace shadow::launcher
