// SPDX-License-Identifier: MIT
#include "sensitive/names/sensitive_names.hpp"

#include "sensitive/names/embedded_settings.hpp"

#include <doctest/doctest.h>

using namespace shadow;

TEST_CASE("only what begins at the top of a repository counts by that") {
  for (const char* path : {".github/workflows", ".github/workflows/x.yml", ".circleci/config.yml",
                           "lanes.lua", "json.py", "json/__init__.py"}) {
    CHECK_MESSAGE(sensitive::find_sensitive_at_top(path, false) != nullptr, path);
  }
  // The second counts wherever it lies.
  for (const char* path : {"", ".envrc", "src/.github/workflows/x.yml", ".github", ".github/x.yml",
                           "src/json.py", "a.py", "json", "/"}) {
    CHECK_MESSAGE(sensitive::find_sensitive_at_top(path, false) == nullptr, path);
  }
}

TEST_CASE("a link counts at the top by what would lie behind it") {
  CHECK(sensitive::find_sensitive_at_top(".github", true) != nullptr);
  CHECK(sensitive::find_sensitive_at_top("json", true) != nullptr);
  CHECK(sensitive::find_sensitive_at_top("src", true) == nullptr);
  CHECK(sensitive::find_sensitive_at_top("src/.github", true) == nullptr);
}

TEST_CASE("a part of RuboCop's settings counts where it runs Ruby as it is read") {
  CHECK(shadow::sensitive::tool_settings_in(".rubocop_todo.yml", "Style/Foo:\n  Max: 3\n").empty());
  CHECK_FALSE(
      shadow::sensitive::tool_settings_in(".rubocop_todo.yml", "Style/Foo:\n  Max: <%= `x` %>\n")
          .empty());
}
