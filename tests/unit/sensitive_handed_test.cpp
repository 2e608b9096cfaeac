// SPDX-License-Identifier: MIT
#include "sensitive/parts/editor_settings.hpp"
#include "sensitive/parts/server_commands.hpp"
#include "sensitive/scripts/quoted_text.hpp"
#include "sensitive/scripts/run_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace shadow;

namespace {

using Words = std::vector<std::string>;

std::string many_times(std::string_view part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += part;
  }
  return text;
}

}  // namespace

TEST_CASE("options, pipes and builds hand a file to a program that runs it") {
  const auto files = [](std::string_view line) { return sensitive::files_run_by(line).files; };
  CHECK(files("make -f a -k") == Words{"a"});
  CHECK(files("sudo make -fa") == Words{"a"});
  CHECK(files("x --config=a --config-file b") == Words{"a", "b"});
  CHECK(files("cat a b | sed s/x/y/ | bash -eu") == Words{"a", "b", "s/x/y/"});
  CHECK(files("cat a | sh b").empty());
  CHECK(files("cat a | sh -s b") == Words{"a"});
  CHECK(files("cat a; sh").empty());
  CHECK(files("eval \"$(cat a)\"") == Words{"a"});
  CHECK(files("x=$(cat a)").empty());
  CHECK(files("sh <a") == Words{"a"});
  CHECK(files("sort <a").empty());
  CHECK(files("cmake -S . -DCMAKE_TOOLCHAIN_FILE:PATH=a") == Words{"a"});
  CHECK(files("grep -f a b; tar -f a; rm -f a").empty());
  CHECK(sensitive::files_run_by("pylint --load-plugins a.b").modules == Words{"a.b"});
  CHECK(sensitive::files_run_by("go run . x").directories == Words{"."});
  CHECK(sensitive::files_run_by("cargo run").directories == Words{"src"});
  CHECK(sensitive::files_run_by("cargo build").directories.empty());
  CHECK(sensitive::files_run_by("docker run -p 80:80 x").directories.empty());
}

TEST_CASE("a command that a set-up tells in pieces becomes one line") {
  const auto lines = [](std::string_view text) {
    return sensitive::without_stand_ins(sensitive::server_commands(text));
  };
  CHECK(lines(R"({"s": {"command": "go", "args": ["run", "./cmd"]}})") == "go run ./cmd\n");
  CHECK(lines(R"({"s": {"args": ["a b"], // x
      "env": {"P": "l"}, "cwd": "d", "command": "node"}, "t": {"command": "z"}})") ==
        "cd d && P=l node a b\n");
  CHECK(lines(R"({"command": ["node", "x\/y"]})") == "node x/y\n");
  CHECK(lines("[a]\ncommand = 'go'\nargs = [\n  'x',\n]\n[a.env]\nB = 'c'\n[d]\ncommand='e'\n") ==
        "B=c go x\n");
  CHECK(lines("- id: a\n  entry: x y\n  args: [--z, w]\n- id: b\n  args:\n  - v\n  entry: u\n") ==
        "x y --z w\nu v\n");
  CHECK(lines(R"({"command": "x", "arguments": []})").empty());
}

TEST_CASE("values of settings are places, but for those of keys that only say what is shown") {
  const sensitive::PlacesOfSettings found = sensitive::places_of_settings(
      R"({"a.dir": "${workspaceFolder}/x", // "no"
          "b": {"c": ["--d=y", "z"]}, "files.exclude": {"e": ["no"]}, "search.f": "no", "g": "./h"})");
  CHECK(found.any == Words{"x", "y", "z", "./h"});
  CHECK(found.arguments == Words{"y", "z"});
}

TEST_CASE("set-ups and lines of very many parts are read in one pass") {
  constexpr int kMany = 200'000;
  for (const std::string_view part :
       {"{", "[", "{\"command\":\"x\",\"args\":[\"a\"]", "\"args\":[\"a\",", "- ", "\n- a", "\"",
        "a: ", "command=", "cat x | ", "sh <", "eval $(", "--config ", "-f", "\\", "[a.env]\n"}) {
    const std::string text = "command args " + many_times(part, kMany);
    CHECK(sensitive::server_commands(text).size() < 20 * text.size());
    CHECK(sensitive::places_of_settings(text).any.size() <= text.size());
    CHECK(sensitive::files_run_by(text).files.size() <= text.size());
  }
}
