// SPDX-License-Identifier: MIT
#include "base/nearest.hpp"
#include "cli/parser/verbs.hpp"
#include "cli/program.hpp"
#include "cli/render/json.hpp"

#include <doctest/doctest.h>

using shadow::Error;
using shadow::ExitCode;
namespace cli = shadow::cli;

TEST_SUITE("cli/program") {
  TEST_CASE("an error is a sentence and a hint") {
    const Error error{"cannot open 'x': no", "do y"};
    CHECK(cli::error_text(error, false) == "shadow: cannot open 'x': no\nhint: do y\n");
    CHECK(cli::error_text(Error{"cannot a"}, false) == "shadow: cannot a\n");
  }

  TEST_CASE("an error in JSON names its kind and paths, also those that are no text") {
    const Error error{"cannot x", "h", ExitCode::Conflict, {"a b", "\xff"}};
    CHECK(cli::error_text(error, true) ==
          "{\"error\":{\"kind\":\"conflict\",\"message\":\"cannot x\",\"hint\":\"h\",\"paths\":"
          "[{\"path\":\"a b\"},{\"path\":\"\xef\xbf\xbd\",\"path_hex\":\"ff\"}]}}\n");
  }

  TEST_CASE("run reports its own failures with 125") {
    CHECK(cli::exit_status(Error{"x"}, "run") == 125);
    CHECK(cli::exit_status(Error{"x", "", ExitCode::Refused}, "shell") == 125);
    CHECK(cli::exit_status(Error{"x", "", static_cast<ExitCode>(127)}, "run") == 127);
    CHECK(cli::exit_status(Error{"x", "", ExitCode::Conflict}, "apply") == 3);
    CHECK(cli::exit_status(Error{"x"}, "diff") == 2);
  }

  TEST_CASE("a file that changed while it was read asks for a later try") {
    CHECK(cli::exit_status(shadow::StaleError{"x"}, "diff") == 4);
  }

  TEST_CASE("a proposed command names the agent where it is about a session") {
    CHECK(cli::with_agent("'shadow diff a' shows it, 'shadow undo 3' not; or: shadow log", "x y") ==
          "'shadow diff --as 'x y' a' shows it, 'shadow undo 3' not; or: shadow log --as 'x y'");
    for (const char* same : {"'shadow undo --list' lists", "'shadow doctor'", "myshadow diff",
                             "'shadow run --as NAME' begins", "'shadow --help'"}) {
      CHECK(cli::with_agent(same, "x") == same);
    }
    CHECK(cli::with_agent("'shadow diff'", std::nullopt) == "'shadow diff'");
  }

  TEST_CASE("a misspelt word finds its neighbour, a strange one none") {
    const std::vector<std::string> words{"status", "diff", "apply"};
    CHECK(shadow::nearest("stauts", words) == "status");
    CHECK(shadow::nearest("dif", words) == "diff");
    CHECK_FALSE(shadow::nearest("frobnicate", words));
    CHECK_FALSE(shadow::nearest("time", {"hide"}));
    CHECK(shadow::nearest("timout", {"hide", "timeout"}) == "timeout");
    CHECK_FALSE(shadow::nearest(std::string(100'000, 'x'), words));
  }

  TEST_CASE("the beginning of words stands for them, where these are few") {
    using Words = std::vector<std::string>;
    const Words words{"file-size", "hide", "hide-secrets", "home", "hosts", "help"};
    CHECK(shadow::begun_or_nearest("file", words) == Words{"file-size"});
    CHECK(shadow::begun_or_nearest("hide-", words) == Words{"hide-secrets"});
    CHECK(shadow::begun_or_nearest("hi", words) == Words{"hide", "hide-secrets"});
    CHECK(shadow::begun_or_nearest("h", words).empty());
    CHECK(shadow::begun_or_nearest("hied", words) == Words{"hide"});
    CHECK(shadow::did_you_mean({"a", "b", "c"}) == "did you mean 'a', 'b' or 'c'?");
  }
}
