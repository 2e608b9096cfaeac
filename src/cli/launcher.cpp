// SPDX-License-Identifier: MIT
#include "cli/launcher.hpp"

#include "cli/commands/nested.hpp"
#include "cli/commands/run.hpp"
#include "cli/handover.hpp"
#include "cli/parser/parser.hpp"
#include "cli/parser/verbs.hpp"
#include "cli/program.hpp"

#include <algorithm>
#include <variant>

namespace shadow::cli {

namespace {

bool is_review_verb(const std::string& verb) {
  const auto& names = verb_names();
  return verb != "run" && verb != "shell" &&
         std::any_of(names.begin(), names.end(),
                     [&verb](const VerbName& known) { return known.name == verb; });
}

int work(const std::vector<std::string>& words, const std::string& verb) {
  if (is_review_verb(verb)) {
    const bool help = std::find(words.begin(), words.end(), "--help") != words.end();
    if (const auto inside = session::find_inside(); inside && !help && verb != "completion") {
      refuse_inside(*inside, verb);
    }
    hand_over(words);
  }
  const Command command = parse(words);
  if (const auto* run = std::get_if<RunOptions>(&command.verb)) {
    return run_command(command.global, *run);
  }
  if (const auto* shell = std::get_if<ShellOptions>(&command.verb)) {
    return run_shell(command.global, *shell);
  }
  return print_text(std::get<PrintText>(command.verb));
}

}  // namespace

int launch(int argc, char** argv) {
  Glance seen;
  return guarded(seen, [&] {
    // A caller of execve(2) may pass no argv[0] at all.
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    seen = glance(words);
    return work(words, seen.verb);
  });
}

}  // namespace shadow::cli
