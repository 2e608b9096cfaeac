// SPDX-License-Identifier: MIT
#include "cli/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace shadow::cli {

const std::vector<VerbName>& verb_names() {
  static const std::vector<VerbName> names = {
      {"run", "[OPTION]... [--] COMMAND [ARGUMENT]...", "run a command in the session's view"},
      {"shell", "[OPTION]...", "run an interactive shell in the session's view"},
      {"status", "[OPTION]... [PATH]...", "summarize what the session changed"},
      {"diff", "[OPTION]... [PATH]...", "show what the session changed as a patch"},
      {"apply", "[OPTION]... [PATH]...", "write the session's changes into the project"},
      {"undo", "[OPTION]... [ID]", "take an apply back"},
      {"refresh", "[OPTION]... [PATH]...", "bring the session up to the project"},
      {"discard", "[OPTION]... [PATH]...", "drop changes, or the whole session"},
      {"list", "", "list all sessions"},
      {"log", "[PATH]...", "list the session's runs"},
      {"show", "RUN|COMMIT", "show a run, or a commit of the session, in full"},
      {"doctor", "", "test what shadow needs on this machine"},
      {"gc", "[OPTION]...", "remove what no session needs any more"},
      {"completion", "bash|zsh|fish", "print a completion script for a shell"},
  };
  return names;
}

namespace {

// Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  // A word of agent-made length would make the table huge and is no misspelling.
  if (word.size() > 40) {
    return std::nullopt;
  }
  std::optional<std::string> best;
  std::size_t best_distance = 1 + word.size() / 4;
  for (const std::string& candidate : candidates) {
    const std::size_t found = edit_distance(word, candidate);
    if (found < best_distance || (found == best_distance && !best)) {
      best = candidate;
      best_distance = found;
    }
  }
  return best;
}

std::string general_help() {
  std::string text =
      "Usage: shadow [-C DIR] [--as NAME] COMMAND [OPTION]... [ARGUMENT]...\n\n"
      "Gives an agent a private copy-on-write view of a project, and lets a person review,\n"
      "promote or drop what it changed.\n\nCommands:\n";
  for (const VerbName& verb : verb_names()) {
    text += fmt::format("  {:<12}{}\n", verb.name, verb.summary);
  }
  text +=
      "\nOptions of every command:\n"
      "  -C DIR      act as if started in DIR, which is the project\n"
      "  --as NAME   the interlocutor whose session is meant\n"
      "  --json      print data and errors as JSON\n"
      "  --color WHEN\n"
      "              auto, always or never\n"
      "  -h, --help  help of the program or of a command\n"
      "  --version   print the version\n\n"
      "'shadow COMMAND --help' tells more; so does shadow(1).\n";
  return text;
}

}  // namespace shadow::cli
