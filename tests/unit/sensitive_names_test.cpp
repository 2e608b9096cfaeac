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

TEST_CASE("a part of RuboCop's settings counts where it runs Ruby as it is read") {
  CHECK(shadow::sensitive::tool_settings_in(".rubocop_todo.yml", "Style/Foo:\n  Max: 3\n").empty());
  CHECK_FALSE(
      shadow::sensitive::tool_settings_in(".rubocop_todo.yml", "Style/Foo:\n  Max: <%= `x` %>\n")
          .empty());
}
