// SPDX-License-Identifier: MIT
#include "cli/parser/parser.hpp"

#include "shadow/error.hpp"

#include "base/nearest.hpp"
#include "base/text.hpp"
#include "cli/parser/parser_binder.hpp"
#include "cli/parser/parser_verbs.hpp"
#include "cli/parser/verbs.hpp"
#include "shadow_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace shadow::cli {

namespace {

// The words before the command, the command, and the words after it.
struct Parts {
  std::vector<std::string> before;
  std::string verb;
  std::vector<std::string> after;
};

// The options that go before any command.
void declare_program(Binder& binder, GlobalOptions& global, bool& version) {
  declare_globals(binder, global);
  binder.flag("-v,--version", version, "print the version");
}

Parts split_at_verb(const std::vector<std::string>& words) {
  GlobalOptions unused;
  bool version = false;
  Binder binder{"shadow", "", ""};
  declare_program(binder, unused, version);
  const auto at = static_cast<std::ptrdiff_t>(binder.first_positional(words));
  Parts parts;
  parts.before.assign(words.begin(), words.begin() + at);
  if (words.begin() + at != words.end()) {
    parts.verb = words[static_cast<std::size_t>(at)];
    parts.after.assign(words.begin() + at + 1, words.end());
  }
  return parts;
}

const VerbName* find_verb(std::string_view name) {
  const auto& names = verb_names();
  const auto found = std::find_if(names.begin(), names.end(),
                                  [name](const VerbName& verb) { return verb.name == name; });
  return found == names.end() ? nullptr : &*found;
}

VerbParser declare_verb(std::string_view verb, Binder& binder) {
  VerbParser parser = declare_run_verb(verb, binder);
  return parser.finish ? parser : declare_review_verb(verb, binder);
}

Binder make_binder(const VerbName& verb) {
  return Binder{fmt::format("shadow {}", verb.name), std::string{verb.summary},
                std::string{verb.arguments}};
}

Command parse_without_verb(const std::vector<std::string>& words) {
  Command command;
  bool version = false;
  Binder binder{"shadow", "", ""};
  declare_program(binder, command.global, version);
  binder.parse(words, Positionals::None);
  if (binder.help_wanted()) {
    command.verb = PrintText{general_help()};
  } else if (version) {
    command.verb =
        PrintText{command.global.json ? fmt::format("{{\"version\":\"{}\"}}\n", SHADOW_VERSION)
                                      : fmt::format("shadow {}\n", SHADOW_VERSION)};
  } else {
    throw Error{"cannot do anything: no command was given", "'shadow --help' lists the commands"};
  }
  return command;
}

// Throws for a word that is no option of every command.
void check_globals(const std::vector<std::string>& words) {
  GlobalOptions unused;
  bool version = false;
  Binder binder{"shadow", "", ""};
  declare_program(binder, unused, version);
  (void)binder.parse(words, Positionals::None);
}

// Commands that users of git and of editors try.
std::optional<std::string_view> git_hint(std::string_view verb) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kHints{{
      {"add", "'shadow apply' takes paths; 'shadow apply -p' asks for each hunk"},
      {"commit", "'shadow apply' writes the session's changes, commits too, into the project"},
      {"merge", "'shadow apply' merges into the project, 'shadow refresh' into the session"},
      {"push", "'shadow apply' writes the session's changes into the project"},
      {"pull", "'shadow refresh' brings the session up to the project"},
      {"rebase", "'shadow refresh' brings the session up to the project"},
      {"reset", "'shadow discard' drops changes, or the whole session"},
      {"restore", "'shadow discard' drops changes, or the whole session"},
      {"checkout", "'shadow discard' drops changes, or the whole session"},
      {"clean", "'shadow discard' drops changes, or the whole session"},
      {"rm", "'shadow discard' drops changes, or the whole session"},
      {"revert", "'shadow undo' takes an apply back"},
      {"redo", "'shadow undo ID' of an undo does it again; 'shadow undo --list' lists them"},
  }};
  const auto* const found = std::find_if(kHints.begin(), kHints.end(),
                                         [verb](const auto& hint) { return hint.first == verb; });
  return found == kHints.end() ? std::nullopt : std::optional{found->second};
}

// Of the options that every command accepts, those of which this one makes no use.
void leave_out_unused(std::string_view verb, Binder& binder) {
  using Names = std::vector<std::string_view>;
  const bool runs = verb == "run" || verb == "shell";
  const bool of_all = verb == "list" || verb == "gc" || verb == "completion";
  const Names unused = of_all                  ? Names{"-C", "--as", "--color"}
                       : verb == "doctor"      ? Names{"--as"}
                       : runs || verb == "log" ? Names{"--color"}
                                               : Names{};
  for (const std::string_view name : unused) {
    binder.leave_out_of_help(name);
  }
}

[[noreturn]] void refuse_verb(const std::string& verb) {
  std::vector<std::string> names;
  for (const VerbName& known : verb_names()) {
    names.emplace_back(known.name);
  }
  std::string hint =
      "'shadow --help' lists the commands; a command to be wrapped goes after 'shadow run'";
  if (const auto from_git = git_hint(verb)) {
    hint = *from_git;
  } else if (const auto meant = begun_or_nearest(verb, names); !meant.empty()) {
    hint = did_you_mean(meant);
  }
  throw Error{fmt::format("cannot understand {}: no such command", shadow::quoted(verb)), hint};
}

// `shadow help`, `shadow help COMMAND` and `shadow version`, in place of the options.
std::optional<std::vector<std::string>> as_option(const Parts& parts) {
  std::vector<std::string> words = parts.after;
  if (parts.verb == "version") {
    words.insert(words.begin(), parts.before.begin(), parts.before.end());
    words.insert(words.begin(), "--version");
    return words;
  }
  if (parts.verb != "help") {
    return std::nullopt;
  }
  // Right after the command: what follows may be words of a wrapped one.
  words.insert(words.empty() ? words.end() : words.begin() + 1, "--help");
  return words;
}

}  // namespace

void declare_globals(Binder& binder, GlobalOptions& global) {
  binder.value("-C", "DIR", global.directory, "act as if started in DIR, which is the project");
  binder.value("--as", "NAME", global.agent, "use the session of this agent");
  binder.flag("--json", global.json, "print data and errors as JSON");
  binder.checked(
      "--color", "WHEN",
      [&global](const std::string& when) {
        if (when == "auto") {
          global.color = ColorChoice::Auto;
        } else if (when == "always") {
          global.color = ColorChoice::Always;
        } else if (when == "never") {
          global.color = ColorChoice::Never;
        } else {
          throw Error{fmt::format("cannot understand '--color': {} is none of auto, always, never",
                                  shadow::quoted(when))};
        }
      },
      "auto, always or never");
}

std::int64_t number_of(const std::string& what, const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) {
    throw Error{
        fmt::format("cannot understand '{}': {} is not a number", what, shadow::quoted(text))};
  }
  return number;
}

Glance glance(const std::vector<std::string>& words) {
  Parts parts = split_at_verb(words);
  const auto holds_json = [](auto begin, auto end) {
    return std::find(begin, end, "--json") != end;
  };
  Glance seen;
  seen.json = holds_json(parts.before.begin(), parts.before.end());
  auto own_end = std::find(parts.after.begin(), parts.after.end(), "--");
  const VerbName* verb = find_verb(parts.verb);
  // Words after run's command are not shadow's. Finding it needs run's options, so only when it
  // matters.
  if (verb != nullptr && verb->name == "run" && holds_json(parts.after.begin(), own_end)) {
    GlobalOptions unused;
    Binder binder = make_binder(*verb);
    const VerbParser parser = declare_verb(verb->name, binder);
    declare_globals(binder, unused);
    own_end =
        parts.after.begin() + static_cast<std::ptrdiff_t>(binder.first_positional(parts.after));
  }
  seen.json = seen.json || holds_json(parts.after.begin(), own_end);
  seen.verb = std::move(parts.verb);
  return seen;
}

Command parse(const std::vector<std::string>& words) {
  Parts parts = split_at_verb(words);
  if (parts.verb.empty()) {
    return parse_without_verb(words);
  }
  if (const auto option = as_option(parts)) {
    return parse(*option);
  }
  const VerbName* verb = find_verb(parts.verb);
  if (verb == nullptr) {
    // After an option that nobody knows, its value looks like a command.
    check_globals(parts.before);
    refuse_verb(parts.verb);
  }
  // `shadow --help run` and `shadow --version run` are about the program or the command, and the
  // command is not done.
  if (std::any_of(parts.before.begin(), parts.before.end(),
                  [](const std::string& word) { return word == "--version" || word == "-v"; })) {
    return parse_without_verb(parts.before);
  }
  Command command;
  Binder binder = make_binder(*verb);
  const VerbParser parser = declare_verb(verb->name, binder);
  declare_globals(binder, command.global);
  std::vector<std::string> all = std::move(parts.before);
  all.insert(all.end(), std::make_move_iterator(parts.after.begin()),
             std::make_move_iterator(parts.after.end()));
  std::vector<std::string> positionals = binder.parse(all, parser.positionals);
  if (binder.help_wanted()) {
    leave_out_unused(verb->name, binder);
    command.verb = PrintText{binder.help()};
  } else {
    command.verb = parser.finish(std::move(positionals));
  }
  return command;
}

}  // namespace shadow::cli
