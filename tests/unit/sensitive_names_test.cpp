// SPDX-License-Identifier: MIT
#include "sensitive/names/sensitive_names.hpp"

#include "sensitive/names/embedded_settings.hpp"
#include "sensitive/names/rules_for_many.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

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

TEST_CASE(
    "what Python's own modules import where it is there counts at the top, also in plain "
    "directories") {
  for (const char* path :
       {"org.py", "org/__init__.py", "org/python.so", "org/python/core.py", "java/lang.py",
        "java/lang/__init__.pyc", "_distutils_system_mod.py", "_manylinux.py", "_winreg.py",
        "_sysconfigdata__linux_x86_64-linux-gnu.py", "_sysconfigdata_t_x/__init__.py", "vms_lib.py",
        "docutils/nodes.py"}) {
    CHECK_MESSAGE(sensitive::find_python_module(path, false) != nullptr, path);
  }
  for (const char* path : {"org", "org/python", "java"}) {
    CHECK_MESSAGE(sensitive::find_sensitive_at_top(path, true) != nullptr, path);
  }
  for (const char* path :
       {"org/apache/a.py", "org/python/core.java", "org/python", "java/com/a.py", "src/org.py",
        "src/org/python/core.py", "java/b.py", "_sysconfig_x.py", "sysconfigdata.py"}) {
    CHECK_MESSAGE(sensitive::find_python_module(path, false) == nullptr, path);
  }
}

TEST_CASE("what conda runs as an environment is activated counts anywhere") {
  for (const char* path :
       {"env/etc/conda/activate.d/a.sh", "etc/conda/deactivate.d/a.sh", "env/conda-meta/history"}) {
    CHECK_MESSAGE(sensitive::find_sensitive_name(path) != nullptr, path);
  }
  CHECK(sensitive::find_sensitive_name("etc/conda/meta.yaml") == nullptr);
}

TEST_CASE("names around several stars fit as the patterns of their tools do") {
  for (const char* path : {"tailwind.js",
                           "a/tailwind.dark.config.mts",
                           "tailwind.config.admin.ts",
                           "my.vite.config.mts",
                           "vite-e2e.config.unit.ts",
                           "in/base.vitest.config.cjs",
                           "a.vitest.workspace.json",
                           "vitest.projects.unit.ts",
                           "e2e.playwright.config.ts",
                           "playwright-smoke.config.mjs",
                           "astro.config.mjs",
                           "iles.config.ts",
                           "phpcs.ruleset.xml",
                           "ruleset.xml",
                           "project/src/main/scala/a.scala",
                           "project/project/plugins.scala",
                           "project/lib/x.jar",
                           "mill-build/src/x.txt",
                           ".poetry/plugins/x/a.py",
                           "assets/a/b/editor/x.cs",
                           "game/assets/editor/in/x.dll",
                           "assets/a/editor/b.asmdef",
                           "packages/p/editor/x.cs",
                           ".herb/rules/a.mjs",
                           ".crashrc",
                           "plugins/x/x.uplugin"}) {
    CHECK_MESSAGE(sensitive::find_sensitive_name(path) != nullptr, path);
  }
  for (const char* path :
       {"src/tailwind.css", "tailwind.config", "invite.ts", "config.vite.ts", "playwright.ts",
        "assets/js/editor/x.js", "assets/x.cs", "editor/assets/x.cs", "assets/editors/x.cs",
        "src/project/src/main/a.c", "project/project/settings.py", "project/lib/x.py",
        "project/src/a.c", "packages/editor/index.ts"}) {
    CHECK_MESSAGE(sensitive::find_sensitive_name(path) == nullptr, path);
  }
  CHECK(sensitive::find_sensitive_below("assets/a/editor") != nullptr);
  CHECK(sensitive::find_sensitive_below("assets/a/editors") == nullptr);
}

TEST_CASE("a part of RuboCop's settings counts where it runs Ruby as it is read") {
  CHECK(shadow::sensitive::tool_settings_in(".rubocop_todo.yml", "Style/Foo:\n  Max: 3\n").empty());
  CHECK_FALSE(
      shadow::sensitive::tool_settings_in(".rubocop_todo.yml", "Style/Foo:\n  Max: <%= `x` %>\n")
          .empty());
}

TEST_CASE("of the rules for many names the first that a path falls under is found") {
  const auto first_of_all = [](std::string_view path) -> const sensitive::SensitiveName* {
    for (const sensitive::SensitiveName& rule : sensitive::sensitive_names()) {
      if (sensitive::is_for_many(rule) && rule.effect == sensitive::SensitiveEffect::Stops &&
          sensitive::falls_under(path, rule)) {
        return &rule;
      }
    }
    return nullptr;
  };
  std::vector<std::string> paths{"", "a", "/", "a/", "js", "ts", "x.c", "a/b.iml/c", "iml"};
  for (const sensitive::SensitiveName& rule : sensitive::sensitive_names()) {
    std::string name{rule.name};
    for (const char* between : {"x", "", ".config.", "x/y"}) {
      std::string path;
      for (const char c : name) {
        path += c == '*' ? std::string{between} : std::string{c};
      }
      for (const char* before : {"", "a/", "a", "config/", "a.iml/"}) {
        for (const char* behind : {"", "/in", "js"}) {
          paths.push_back(before + path + behind);
        }
      }
    }
  }
  for (const std::string& path : paths) {
    CHECK_MESSAGE(sensitive::find_rule_for_many(path, sensitive::SensitiveEffect::Stops) ==
                      first_of_all(path),
                  path);
  }
}
