// SPDX-License-Identifier: MIT
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
