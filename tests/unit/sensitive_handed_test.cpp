// SPDX-License-Identifier: MIT
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
