// SPDX-License-Identifier: MIT
#include "cli/parser/verbs.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace shadow::cli {

const std::vector<VerbName>& verb_names() {
  static const std::vector<VerbName> names = {
      {"run", "[OPTION]... [--] COMMAND [ARGUMENT]...", "run a command in the session's view"},
      {"shell", "[OPTION]...", "run an interactive shell in the session's view"},
      {"status", "[OPTION]... [PATH]...", "summarize the session's changes"},
      {"diff", "[OPTION]... [PATH]...", "show the session's changes as a patch"},
      {"apply", "[OPTION]... [PATH]...", "write the session's changes into the project"},
      {"undo", "[OPTION]... [ID]", "undo an apply"},
      {"refresh", "[OPTION]... [PATH]...", "bring the session up to date with the project"},
      {"discard", "[OPTION]... [PATH]...", "drop changes, or the whole session"},
      {"list", "", "list all sessions"},
      {"log", "[PATH]...", "list the session's runs"},
      {"show", "RUN|COMMIT", "show a run, or a commit of the session, in full"},
      {"doctor", "", "check that shadow works on this machine"},
      {"gc", "[OPTION]...", "remove sessions and files that nobody needs"},
      {"completion", "bash|zsh|fish", "print a completion script for a shell"},
  };
  return names;
}

namespace {

// True of the words of a command from the verb on if they say "of this session". An apply is undone
// by its number, and applies are listed, whosever they are.
bool is_about_a_session(std::string_view verb, std::string_view rest) {
  constexpr std::array<std::string_view, 10> kVerbs{"run",  "shell",   "status",  "diff", "apply",
                                                    "undo", "refresh", "discard", "log",  "show"};
  const bool by_number =
      verb == "undo" &&
      (rest.starts_with(" --list") ||
       (rest.size() > 1 && std::isdigit(static_cast<unsigned char>(rest[1])) != 0));
  return std::find(kVerbs.begin(), kVerbs.end(), verb) != kVerbs.end() && !by_number &&
         !rest.starts_with(" --as");
}

}  // namespace

std::string with_agent(std::string hint, const std::optional<std::string>& agent) {
  constexpr std::string_view kProgram = "shadow ";
  const std::string option = agent ? " --as " + shell_quoted(*agent) : "";
  std::size_t at = agent ? hint.find(kProgram) : std::string::npos;
  while (at != std::string::npos) {
    const bool begins = at == 0 || std::string_view{"' ("}.find(hint[at - 1]) != std::string::npos;
    at += kProgram.size();
    const std::size_t end = std::min(hint.find_first_of(" ')", at), hint.size());
    const std::string_view all = hint;
    if (begins && is_about_a_session(all.substr(at, end - at), all.substr(end))) {
      hint.insert(end, option);
      at = end + option.size();
    }
    at = hint.find(kProgram, at);
  }
  return hint;
}

std::string general_help() {
  std::string text =
      "Usage: shadow [-C DIR] [--as NAME] COMMAND [OPTION]... [ARGUMENT]...\n\n"
      "Gives an agent a private copy-on-write view of a project, and lets you review,\n"
      "apply or drop its changes.\n\nCommands:\n";
  for (const VerbName& verb : verb_names()) {
    text += fmt::format("  {:<12}{}\n", verb.name, verb.summary);
  }
  text +=
      "\nOptions of every command:\n"
      "  -C DIR      act as if started in DIR, which is the project\n"
      "  --as NAME   use the session of this agent\n"
      "  --json      print data and errors as JSON\n"
      "  --color WHEN\n"
      "              auto, always or never\n"
      "  -h, --help  print help for the program or a command\n"
      "  -v, --version\n"
      "              print the version\n\n"
      "See also 'shadow help COMMAND' and shadow(1).\n";
  return text;
}

}  // namespace shadow::cli
