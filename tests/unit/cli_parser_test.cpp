// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "cli/parser/parser.hpp"

#include <doctest/doctest.h>

using shadow::Error;
using shadow::cli::Command;
using shadow::cli::glance;
using shadow::cli::parse;
namespace cli = shadow::cli;

namespace {

template <class Options>
Options options_of(const std::vector<std::string>& words) {
  const Command command = parse(words);
  REQUIRE(std::holds_alternative<Options>(command.verb));
  return std::get<Options>(command.verb);
}

std::string message_of(const std::vector<std::string>& words) {
  try {
    (void)parse(words);
  } catch (const Error& error) {
    return std::string{error.what()} + " | " + error.hint();
  }
  return "no error";
}

using Words = std::vector<std::string>;

}  // namespace

TEST_SUITE("cli/parser") {
  TEST_CASE("run passes every word after the first argument on untouched") {
    CHECK(options_of<cli::RunOptions>({"run", "ls", "--json", "-C", "x", "--", "--as"}).argv ==
          Words{"ls", "--json", "-C", "x", "--", "--as"});
    CHECK(options_of<cli::RunOptions>({"run", "--", "--help"}).argv == Words{"--help"});
    CHECK(options_of<cli::RunOptions>({"run", "--", "--", "x"}).argv == Words{"--", "x"});
    CHECK(options_of<cli::RunOptions>({"run", "--net", "none", "-", ""}).argv == Words{"-", ""});
    CHECK(options_of<cli::RunOptions>({"run", "-", "--net"}).argv == Words{"-", "--net"});
    CHECK(options_of<cli::RunOptions>({"run", ""}).argv == Words{""});
    CHECK(options_of<cli::RunOptions>({"run", "[a,b]", "new\nline", "\xff"}).argv ==
          Words{"[a,b]", "new\nline", "\xff"});
  }

  TEST_CASE("global options stand before or after the command") {
    for (const Words& words : {Words{"-C", "d", "--as", "a b", "--json", "status"},
                               Words{"status", "--as=a b", "-Cd", "--json"},
                               Words{"-C", "d", "status", "--json", "--as", "a b"}}) {
      const Command command = parse(words);
      CHECK(command.global.directory == "d");
      CHECK(command.global.agent == "a b");
      CHECK(command.global.json);
      CHECK(std::holds_alternative<cli::StatusOptions>(command.verb));
    }
  }

  TEST_CASE("an option's value is taken as it is, whatever it looks like") {
    for (const std::string value : {"[a,b]", "{}", "-dash", "--json", "a=b", "run"}) {
      CAPTURE(value);
      CHECK(parse({"--as", value, "list"}).global.agent == value);
      CHECK(parse({"list", "--as=" + value}).global.agent == value);
    }
    CHECK(parse({"--as=", "list"}).global.agent == "");
    CHECK(parse({"--as", "", "list"}).global.agent == "");
  }

  TEST_CASE("the last one of a repeated option counts") {
    CHECK(parse({"--as", "a", "list", "--as", "b"}).global.agent == "b");
  }

  TEST_CASE("policy flags are kept as written") {
    const auto run =
        options_of<cli::RunOptions>({"run", "--ro", "a", "--ro=[b]", "--env", "A=1", "--env", "B",
                                     "--clear-env", "--memory", "1G", "true"});
    CHECK(run.policy.read_only == Words{"a", "[b]"});
    CHECK(run.policy.env == Words{"A=1", "B"});
    CHECK(run.policy.clear_env);
    CHECK(run.policy.memory == "1G");
    CHECK_FALSE(run.policy.cpus);
  }

  TEST_CASE("paths may stand anywhere, and behind -- may look like options") {
    const auto diff = options_of<cli::DiffOptions>({"diff", "a b", "-U", "5", "[x]", "--", "-d"});
    CHECK(diff.paths == Words{"a b", "[x]", "-d"});
    CHECK(diff.context_lines == 5);
    CHECK(options_of<cli::DiffOptions>({"diff", "-U0", "--stat"}).format == cli::DiffFormat::Stat);
  }

  TEST_CASE("an optional value comes with an equals sign only") {
    const auto apply = options_of<cli::ApplyOptions>(
        {"apply", "--allow-sensitive", "a", "--allow-sensitive=b c", "-n"});
    CHECK(apply.allow_sensitive);
    CHECK(apply.sensitive_paths == Words{"b c"});
    CHECK(apply.paths == Words{"a"});
    CHECK(apply.dry_run);
    const auto some = options_of<cli::ApplyOptions>({"apply", "--allow-sensitive=x"});
    CHECK_FALSE(some.allow_sensitive);
  }

  TEST_CASE("an empty variable behind --allow-sensitive= does not allow everything") {
    CHECK(message_of({"apply", "--allow-sensitive="}) ==
          "cannot understand '--allow-sensitive': a value is missing | "
          "'shadow apply --help' explains it");
    CHECK(message_of({"apply", "--yes=no"}) ==
          "cannot understand '--yes': it takes no value | 'shadow apply --help' explains it");
  }

  TEST_CASE("letters may share a dash, and the last one takes a value as it stands") {
    const auto apply = options_of<cli::ApplyOptions>({"apply", "-ym", "-n", "--branch=b"});
    CHECK(apply.yes);
    CHECK(apply.message == "-n");
    CHECK_FALSE(apply.dry_run);
    CHECK(message_of({"apply", "-pq"}) ==
          "cannot understand '-q': 'shadow apply' has no such option | "
          "'shadow apply --help' lists them");
    CHECK(message_of({"diff", "-M50"}) ==
          "cannot understand '-M': it takes no value | 'shadow diff --help' explains it");
  }

  TEST_CASE("what cannot be understood is named, with a hint") {
    CHECK(message_of({"staus"}) ==
          "cannot understand 'staus': no such command | did you mean 'status'?");
    CHECK(message_of({"status", "--porcelian"}) ==
          "cannot understand '--porcelian': 'shadow status' has no such option | "
          "did you mean '--porcelain'?");
    CHECK(message_of({"status", "--bad"}).find("lists them") != std::string::npos);
    CHECK(message_of({"status", "-q"}) ==
          "cannot understand '-q': 'shadow status' has no such option | "
          "'shadow status --help' lists them");
    CHECK(message_of({"list", "--as"}) ==
          "cannot understand '--as': a value is missing | 'shadow list --help' explains it");
    CHECK(message_of({"list", "x\x1b"}) ==
          "cannot understand 'x\\x1b': 'shadow list' takes no arguments | "
          "'shadow list --help' explains it");
    CHECK(message_of({"diff", "-U", "x"}) == "cannot understand '-U': 'x' is not a number | ");
    CHECK(message_of({"show", "main"}).find("neither the number of a run nor") !=
          std::string::npos);
    CHECK(message_of({"diff", "--stat", "--name-only"}).find("several formats") !=
          std::string::npos);
    CHECK(message_of({"run", "--net", "none"}).find("no command was given") != std::string::npos);
    CHECK(message_of({"run", "--"}).find("no command was given") != std::string::npos);
    CHECK(message_of({"run"}).find("no command was given") != std::string::npos);
    CHECK(message_of({"run", "-x"}).find("no such option") != std::string::npos);
    CHECK(message_of({}).find("no command was given") != std::string::npos);
    CHECK(message_of({"list", "--color=red"}).find("'red' is none of") != std::string::npos);
    CHECK(message_of({"completion", "tcsh"}).find("'tcsh'") != std::string::npos);
    CHECK(message_of({"show"}).find("it takes one run") != std::string::npos);
  }

  TEST_CASE("help and version are text and do nothing else") {
    CHECK(options_of<cli::PrintText>({"--version"}).text.rfind("shadow ", 0) == 0);
    CHECK(options_of<cli::PrintText>({"--help"}).text.find("Commands:") != std::string::npos);
    const std::string help = options_of<cli::PrintText>({"run", "--help"}).text;
    CHECK(help.find("Usage: shadow run [OPTION]... [--] COMMAND") != std::string::npos);
    CHECK(help.find("--env=NAME[=VALUE]") != std::string::npos);
    CHECK(options_of<cli::PrintText>({"apply", "-h"}).text.find("--allow-sensitive[=PATH]") !=
          std::string::npos);
  }

  TEST_CASE("a glance finds the command and whether errors are JSON") {
    CHECK(glance({"-C", "run", "--as", "x", "diff", "run"}).verb == "diff");
    CHECK(glance({"run", "--json", "x"}).json);
    CHECK_FALSE(glance({"run", "x", "--json"}).json);
    CHECK(glance({"--json", "nope"}).json);
    CHECK_FALSE(glance({"diff", "--", "--json"}).json);
    CHECK(glance({}).verb.empty());
  }

  TEST_CASE("every command has help") {
    for (const std::string verb : {"run", "shell", "status", "diff", "apply", "undo", "discard",
                                   "list", "log", "show", "doctor", "gc", "completion"}) {
      CAPTURE(verb);
      CHECK(options_of<cli::PrintText>({verb, "--help"}).text.rfind("Usage: shadow " + verb, 0) ==
            0);
    }
  }
}
