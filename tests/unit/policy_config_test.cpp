// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "policy/config_file.hpp"
#include "policy/merge_policy.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using shadow::policy::Config;
using shadow::policy::HomeMode;
using shadow::policy::LimitKind;
using shadow::policy::Network;
using shadow::policy::Origin;
using shadow::policy::parse_config;
using shadow::policy::PolicyPlaces;

namespace {

const PolicyPlaces places{"/home/u", "/home/u/.local/state/shadow", "/home/u/a b", "/home/u/a b"};

Config parsed(const std::string& text) {
  return parse_config(text, "/c.toml", places);
}

struct Complaint {
  std::string what;
  std::string hint;
};
Complaint complaint(const std::string& text) {
  try {
    (void)parsed(text);
  } catch (const shadow::Error& error) {
    return {error.what(), error.hint()};
  }
  return {};
}

}  // namespace

TEST_SUITE("policy/config") {
  TEST_CASE("every setting of a run can be said, in either spelling") {
    const Config config = parsed(R"(
profile = "strict"
net = "none"
home = "private"
ro = ["~/ref", "$HOME/x"]
rw = ["/data"]
hide = ["/opt/secret stuff"]
env = ["EDITOR", "A=b"]
unset = ["X_*"]
clear-env = true
hide_secrets = true
secret_patterns = ["*.tok"]
secrets = [".tool/login"]
memory = "2G"
cpus = 1.5
pids = 100
tmp-size = "64M"
file_size = 1048576
open_files = 256
timeout = "10m"
sensitive = ["deploy/**"]
retention_days = 30
pager = "none"
)");
    REQUIRE(config.layers.size() == 1);
    shadow::policy::PolicyLayer layer = config.layers.at(0);
    CHECK(layer.origin == Origin::GlobalConfig);
    CHECK(layer.profile == "strict");
    CHECK(layer.net->network == Network::None);
    CHECK(layer.home == HomeMode::Private);
    REQUIRE(layer.paths.size() == 4);
    CHECK(layer.env.size() == 3);
    CHECK(layer.clear_env == true);
    CHECK(layer.hide_secrets == true);
    CHECK(layer.limit(LimitKind::Memory) == 2ULL << 30U);
    CHECK(layer.limit(LimitKind::Cpus) == 1500);
    CHECK(layer.limit(LimitKind::Pids) == 100);
    CHECK(layer.limit(LimitKind::TmpSize) == 64U << 20U);
    CHECK(layer.limit(LimitKind::FileSize) == 1U << 20U);
    CHECK(layer.limit(LimitKind::OpenFiles) == 256);
    CHECK(layer.limit(LimitKind::Timeout) == 600'000'000'000);
    CHECK(config.sensitive == std::vector<std::string>{"deploy/**"});
    CHECK(config.retention_days == 30);
    CHECK_FALSE(config.pager);
  }

  TEST_CASE("the part of a project comes on top, the parts of others not at all") {
    const Config config = parsed(R"(
memory = "1G"
[project."/home/u/a b"]
memory = "4G"
rw = ["/cache"]
sensitive = ["x"]
[project."~/other"]
memory = "8G"
[project."/home/u"]
memory = "9G"
)");
    REQUIRE(config.layers.size() == 2);
    CHECK(config.layers.at(1).origin == Origin::ProjectConfig);
    const shadow::policy::Policy policy = shadow::policy::merge_policy(config.layers, places);
    CHECK(policy.amount(LimitKind::Memory) == 4ULL << 30U);
    CHECK(policy.limit(LimitKind::Memory).origin == Origin::ProjectConfig);
    REQUIRE(policy.paths.size() == 1);
    CHECK(policy.paths.at(0).path == "/cache");
    CHECK(config.sensitive == std::vector<std::string>{"x"});
  }

  TEST_CASE("an unknown key is an error with the line and the nearest name") {
    const Complaint near = complaint("\nnet = \"none\"\nmemry = \"1G\"\n");
    CHECK(near.what == "cannot read '/c.toml' line 3: unknown key 'memry'");
    CHECK(near.hint == "did you mean 'memory'?");
    CHECK(complaint("zzzzzzzzzz = 1").hint.find("shadow(1)") != std::string::npos);
    CHECK(complaint("[projects.\"/x\"]").hint == "did you mean 'project'?");
    CHECK(complaint("[project.\"/home/u/other\"]\nmemry = 1").what.find("line 2") !=
          std::string::npos);
    CHECK(complaint("[project.\"/x\"]\npager = \"none\"").what.find("'pager'") !=
          std::string::npos);
    CHECK(complaint("\"\\u001b[31m\" = 1").what.find('\x1b') == std::string::npos);
  }

  TEST_CASE("a file that is no TOML at all is an error and nothing worse") {
    CHECK(complaint("[\n- \"/opt\",\n]\n").what == "cannot read '/c.toml': not TOML");
    CHECK(complaint("pager = true\xc3\xa9").what.find("cannot read '/c.toml' line 1: ") == 0);
    CHECK(complaint("a = ").what.find("cannot read '/c.toml' line 1: ") == 0);
  }

  TEST_CASE("a value of the wrong kind is an error with the line") {
    for (const char* text : {"net = 1",
                             "net = \"lan\"",
                             "ro = \"/x\"",
                             "ro = [1]",
                             "ro = [\"relative\"]",
                             "memory = true",
                             "memory = \"lots\"",
                             "cpus = -1",
                             "cpus = nan",
                             "pids = 1.5",
                             "clear_env = \"yes\"",
                             "retention_days = 0",
                             "pager = \"less\"",
                             "env = [\"\"]",
                             "project = 1",
                             "project.x = 1",
                             "net = ",
                             "a = 1\na = 2",
                             "profile = []",
                             "[project.relative]"}) {
      CAPTURE(text);
      const Complaint said = complaint(text);
      CHECK(said.what.starts_with("cannot read '/c.toml' line "));
    }
    CHECK(complaint("memory = \"lots\"").hint.find("512M") != std::string::npos);
  }

  TEST_CASE("an empty file says nothing") {
    const Config config = parsed("");
    CHECK(shadow::policy::merge_policy(config.layers, places) == shadow::policy::Policy{});
  }

  TEST_CASE("the file is found below the configuration directory; none is fine") {
    char name[] = "/tmp/shadow-config-XXXXXX";
    const std::string root = ::mkdtemp(name);
    const PolicyPlaces places{root, root + "/state", root + "/p", root + "/p"};
    const char* before = ::getenv("XDG_CONFIG_HOME");
    const std::string saved = before == nullptr ? "" : before;
    ::unsetenv("XDG_CONFIG_HOME");
    CHECK(shadow::policy::load_config(places).layers.empty());
    const shadow::sys::Fd dir = shadow::sys::open_path(root, O_RDONLY | O_DIRECTORY);
    (void)shadow::sys::make_dirs(dir.get(), ".config/shadow", 0700);
    const shadow::sys::Fd config =
        shadow::sys::open_path(root + "/.config/shadow", O_RDONLY | O_DIRECTORY);
    shadow::sys::replace_file_at(config.get(), "config.toml", "net = \"none\"\n", 0600);
    CHECK(shadow::policy::load_config(places).layers.size() == 1);
    ::setenv("XDG_CONFIG_HOME", "relative", 1);
    CHECK(shadow::policy::load_config(places).layers.size() == 1);
    ::setenv("XDG_CONFIG_HOME", (root + "/elsewhere").c_str(), 1);
    CHECK(shadow::policy::load_config(places).layers.empty());
    ::unsetenv("XDG_CONFIG_HOME");
    REQUIRE(::unlinkat(config.get(), "config.toml", 0) == 0);
    REQUIRE(::mkfifoat(config.get(), "config.toml", 0600) == 0);
    CHECK_THROWS_AS((void)shadow::policy::load_config(places), shadow::Error);
    if (before != nullptr) {
      ::setenv("XDG_CONFIG_HOME", saved.c_str(), 1);
    }
    shadow::sys::remove_tree(AT_FDCWD, root);
  }

  TEST_CASE("a configuration inside a project is noticed, and only that") {
    char name[] = "/tmp/shadow-config-XXXXXX";
    const std::string root = ::mkdtemp(name);
    const shadow::sys::Fd dir = shadow::sys::open_path(root, O_RDONLY | O_DIRECTORY);
    CHECK_FALSE(shadow::policy::project_config_present(dir.get()));
    REQUIRE(::symlinkat("/nowhere", dir.get(), ".shadow.toml") == 0);
    CHECK(shadow::policy::project_config_present(dir.get()) == ".shadow.toml");
    shadow::sys::remove_tree(AT_FDCWD, root);
  }
}
