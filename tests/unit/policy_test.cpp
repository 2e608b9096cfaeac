// SPDX-License-Identifier: MIT
#include "policy/policy.hpp"

#include "shadow/error.hpp"

#include "policy/merge_policy.hpp"
#include "policy/policy_text.hpp"
#include "policy/policy_values.hpp"
#include "sandbox/bounds/kernel_gaps.hpp"
#include "sandbox/bounds/landlock.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

#include <sys/stat.h>
#include <unistd.h>

using shadow::policy::Access;
using shadow::policy::EnvRule;
using shadow::policy::HomeMode;
using shadow::policy::LimitKind;
using shadow::policy::Network;
using shadow::policy::Origin;
using shadow::policy::Policy;
using shadow::policy::PolicyLayer;
using shadow::policy::PolicyPlaces;

namespace {

const PolicyPlaces fixed_places{"/home/u", "/home/u/.local/state/shadow", "/home/u/a b",
                                "/home/u/a b/sub"};

PolicyLayer layer(Origin origin) {
  PolicyLayer made;
  made.origin = origin;
  return made;
}

// A scratch home with a project, a state directory and what else the rules speak of.
class Scratch {
 public:
  Scratch() {
    char name[] = "/tmp/shadow-policy-XXXXXX";
    root_ = ::mkdtemp(name);
    for (const char* dir : {"/home", "/home/project", "/home/project/sub", "/home/state",
                            "/home/.claude", "/other"}) {
      ::mkdir((root_ + dir).c_str(), 0700);
    }
    REQUIRE(::symlink("home", (root_ + "/link").c_str()) == 0);
    REQUIRE(::symlink("../home/state", (root_ + "/other/state").c_str()) == 0);
  }
  Scratch(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() {
    for (const char* name : {"/other/state", "/link"}) {
      ::unlink((root_ + name).c_str());
    }
    for (const char* dir : {"/other", "/home/.claude", "/home/state", "/home/project/sub",
                            "/home/project", "/home", ""}) {
      ::rmdir((root_ + dir).c_str());
    }
  }

  [[nodiscard]] PolicyPlaces places() const {
    return {root_ + "/home", root_ + "/home/state", root_ + "/home/project",
            root_ + "/home/project"};
  }
  [[nodiscard]] std::string at(const std::string& path) const { return root_ + path; }

  // Checks a policy of one rule; "" when it is taken, else what the error says.
  [[nodiscard]] std::string refusal(Access access, const std::string& path) const {
    Policy policy;
    policy.paths.push_back({access, path, Origin::CommandLine});
    try {
      shadow::policy::check_policy(policy, places());
    } catch (const shadow::Error& error) {
      return error.what();
    }
    return {};
  }

 private:
  std::string root_;
};

}  // namespace

TEST_SUITE("policy") {
  TEST_CASE("nothing said gives the built-in default") {
    CHECK(shadow::policy::merge_policy({}, fixed_places) == Policy{});
  }

  TEST_CASE("the stronger layer holds, whatever the order they are given in") {
    PolicyLayer global = layer(Origin::GlobalConfig);
    global.net = shadow::policy::NetworkAccess{Network::None, {}};
    global.home = HomeMode::Private;
    global.limit(LimitKind::Memory) = 100;
    PolicyLayer project = layer(Origin::ProjectConfig);
    project.home = HomeMode::Overlay;
    project.limit(LimitKind::Memory) = 200;
    PolicyLayer command = layer(Origin::CommandLine);
    command.limit(LimitKind::Memory) = 0;
    const Policy policy = shadow::policy::merge_policy({command, project, global}, fixed_places);
    CHECK(policy.net.value.network == Network::None);
    CHECK(policy.net.origin == Origin::GlobalConfig);
    CHECK(policy.home.value == HomeMode::Overlay);
    CHECK(policy.amount(LimitKind::Memory) == 0);
    CHECK(policy.limit(LimitKind::Memory).origin == Origin::CommandLine);
  }

  TEST_CASE("the profile that the strongest layer names lies below every layer") {
    PolicyLayer global = layer(Origin::GlobalConfig);
    global.profile = "agent";
    global.limit(LimitKind::Memory) = 1U << 30U;
    PolicyLayer command = layer(Origin::CommandLine);
    command.profile = "strict";
    const Policy policy = shadow::policy::merge_policy({global, command}, fixed_places);
    CHECK(policy.profile.value == "strict");
    CHECK(policy.net.value.network == Network::None);
    CHECK(policy.net.origin == Origin::Profile);
    CHECK(policy.home.value == HomeMode::Private);
    CHECK(policy.clear_env.value);
    CHECK(policy.amount(LimitKind::Memory) == 1U << 30U);
    CHECK(policy.limit(LimitKind::Memory).origin == Origin::GlobalConfig);
    CHECK(policy.amount(LimitKind::Cpus) == 500);
    CHECK(policy.amount(LimitKind::Pids) == 64);
    CHECK(policy.amount(LimitKind::TmpSize) == 64U << 20U);
  }

  TEST_CASE("the agent profile opens the state of agent programs and passes their keys") {
    PolicyLayer command = layer(Origin::CommandLine);
    command.profile = "agent";
    const Policy policy = shadow::policy::merge_policy({command}, fixed_places);
    CHECK(policy.net.value.network == Network::Host);
    const auto opened = [&](const std::string& path) {
      return std::any_of(policy.paths.begin(), policy.paths.end(), [&](const auto& rule) {
        return rule.path == path && rule.access == Access::ReadWrite &&
               rule.origin == Origin::Profile;
      });
    };
    CHECK(opened("/home/u/.claude"));
    CHECK(opened("/home/u/.codex"));
    CHECK(opened("/home/u/.gemini"));
    CHECK(opened("/home/u/.config/opencode"));
    CHECK(opened("/home/u/.copilot"));
    CHECK_FALSE(policy.env.empty());
  }

  TEST_CASE("an unknown profile is an error that names the ones there are") {
    PolicyLayer command = layer(Origin::CommandLine);
    command.profile = "stirct\n";
    try {
      (void)shadow::policy::merge_policy({command}, fixed_places);
      FAIL("taken");
    } catch (const shadow::Error& error) {
      CHECK(std::string{error.what()} == "no profile 'stirct\\n'");
      CHECK(error.hint().find("strict") != std::string::npos);
    }
  }

  TEST_CASE("of two rules for one path or variable the stronger one stays") {
    PolicyLayer global = layer(Origin::GlobalConfig);
    global.paths = {{Access::Hidden, "/data", {}}, {Access::ReadOnly, "/ref", {}}};
    global.env = {{EnvRule::Action::Unset, "FOO", {}, {}}};
    PolicyLayer command = layer(Origin::CommandLine);
    command.paths = {{Access::ReadWrite, "/data", {}}};
    command.env = {{EnvRule::Action::Pass, "FOO", {}, {}}};
    const Policy policy = shadow::policy::merge_policy({command, global}, fixed_places);
    REQUIRE(policy.paths.size() == 2);
    CHECK(policy.paths.at(0).path == "/ref");
    CHECK(policy.paths.at(0).origin == Origin::GlobalConfig);
    CHECK(policy.paths.at(1).access == Access::ReadWrite);
    REQUIRE(policy.env.size() == 1);
    CHECK(policy.env.at(0).action == EnvRule::Action::Pass);
  }
}

TEST_SUITE("policy/values") {
  TEST_CASE("paths are made absolute as text") {
    const auto path = [](std::string_view text, Origin origin) {
      return shadow::policy::parse_path_rule(Access::ReadOnly, text, "--ro", origin, fixed_places)
          .path;
    };
    CHECK(path("~/x/./y/../z", Origin::GlobalConfig) == "/home/u/x/z");
    CHECK(path("$HOME/new\nline", Origin::GlobalConfig) == "/home/u/new\nline");
    CHECK(path("${HOME}", Origin::ProjectConfig) == "/home/u");
    CHECK(path("../../\xff", Origin::CommandLine) == "/home/u/\xff");
    CHECK(path("-dash", Origin::CommandLine) == "/home/u/a b/sub/-dash");
    CHECK(path("/../..", Origin::CommandLine) == "/");
    CHECK(path("~user", Origin::CommandLine) == "/home/u/a b/sub/~user");
    CHECK_THROWS_AS(path("relative", Origin::GlobalConfig), shadow::Error);
    CHECK_THROWS_AS(path("", Origin::CommandLine), shadow::Error);
  }

  TEST_CASE("limits are read in their own units") {
    using shadow::policy::parse_limit;
    CHECK(parse_limit(LimitKind::Memory, "512M", "--memory") == 512U << 20U);
    CHECK(parse_limit(LimitKind::Cpus, "0.5", "--cpus") == 500);
    CHECK(parse_limit(LimitKind::Cpus, "2", "--cpus") == 2000);
    CHECK(parse_limit(LimitKind::Pids, "64", "--pids") == 64);
    CHECK(parse_limit(LimitKind::Timeout, "2m", "--timeout") == 120'000'000'000);
    CHECK(parse_limit(LimitKind::Memory, "none", "--memory") == 0);
    for (const char* bad : {"", "-1", "0", "x", "1e9", "nan", "inf", "0.001", "1 ", "99999999"}) {
      CAPTURE(bad);
      CHECK_THROWS_AS((void)parse_limit(LimitKind::Cpus, bad, "--cpus"), shadow::Error);
    }
    for (const char* bad : {"", "-1", "0", "64.5", "99999999999999999999"}) {
      CAPTURE(bad);
      CHECK_THROWS_AS((void)parse_limit(LimitKind::Pids, bad, "--pids"), shadow::Error);
    }
  }

  TEST_CASE("an environment rule is a name to pass or a value to set") {
    const EnvRule set = shadow::policy::parse_env("A=b=c\n", "--env", Origin::CommandLine);
    CHECK(set.action == EnvRule::Action::Set);
    CHECK(set.name == "A");
    CHECK(set.value == "b=c\n");
    CHECK(shadow::policy::parse_env("A*", "--env", Origin::CommandLine).action ==
          EnvRule::Action::Pass);
    CHECK(shadow::policy::parse_env("A=", "--env", Origin::CommandLine).value.empty());
    CHECK_THROWS_AS((void)shadow::policy::parse_env("=x", "--env", Origin::CommandLine),
                    shadow::Error);
    CHECK_THROWS_AS((void)shadow::policy::parse_env("", "--env", Origin::CommandLine),
                    shadow::Error);
    CHECK_THROWS_AS((void)shadow::policy::parse_unset("A=b", "--unset", Origin::CommandLine),
                    shadow::Error);
  }

  TEST_CASE("modes are read by their names") {
    CHECK(shadow::policy::parse_network("none", "--net").network == Network::None);
    CHECK(shadow::policy::parse_home_mode("ro", "--home") == HomeMode::ReadOnly);
    CHECK_THROWS_WITH_AS((void)shadow::policy::parse_network("allow", "--net"),
                         "cannot read --net 'allow': not a valid value", shadow::Error);
    CHECK_THROWS_AS((void)shadow::policy::parse_home_mode("", "--home"), shadow::Error);
  }
}

TEST_SUITE("policy/check") {
  TEST_CASE("what would undo the isolation is refused, also through a symlink") {
    const Scratch scratch;
    const auto rw = [&](const char* path) {
      return scratch.refusal(Access::ReadWrite, scratch.at(path));
    };
    CHECK(rw("/home/project").find("contains the project") != std::string::npos);
    CHECK(rw("/link/project").find("contains the project") != std::string::npos);
    CHECK(rw("/home").find("shadow's own state") != std::string::npos);
    CHECK(rw("").find("shadow's own state") != std::string::npos);
    CHECK(rw("/home/state").find("shadow's own state") != std::string::npos);
    CHECK(rw("/other/state").find("shadow's own state") != std::string::npos);
    CHECK(rw("/home/project/sub").empty());
    CHECK(rw("/other").empty());
    CHECK(rw("/missing").find("no such file") != std::string::npos);
    CHECK(scratch.refusal(Access::ReadWrite, "/").find("state") != std::string::npos);
    CHECK(scratch.refusal(Access::ReadWrite, "/proc/sys").find("kernel") != std::string::npos);
    CHECK(scratch.refusal(Access::ReadWrite, "/dev").find("kernel") != std::string::npos);
    CHECK(scratch.refusal(Access::ReadWrite, "/dev/null").empty());
    CHECK_FALSE(scratch.refusal(Access::ReadOnly, scratch.at("/link")).empty());
    CHECK_FALSE(scratch.refusal(Access::ReadOnly, scratch.at("/other/state")).empty());
    CHECK(scratch.refusal(Access::ReadOnly, scratch.at("/home/project")).empty());
    CHECK_FALSE(scratch.refusal(Access::Hidden, scratch.at("/home")).empty());
    CHECK_FALSE(scratch.refusal(Access::Hidden, scratch.at("/home/project")).empty());
    CHECK(scratch.refusal(Access::Hidden, scratch.at("/home/project/sub")).empty());
    CHECK(scratch.refusal(Access::Hidden, scratch.at("/comes later")).empty());
  }

  TEST_CASE("a link in a writable path is a run's own, and leads no rule out of it") {
    const Scratch scratch;
    const auto refusal = [&](Access access, const std::string& path) {
      Policy policy;
      policy.paths = {{Access::ReadWrite, scratch.at("/link/project/sub"), Origin::GlobalConfig},
                      {access, path, Origin::CommandLine}};
      try {
        shadow::policy::check_policy(policy, scratch.places());
      } catch (const shadow::Error& error) {
        return std::string{error.what()};
      }
      return std::string{};
    };
    const std::string sub = scratch.at("/home/project/sub");
    REQUIRE(::symlink("../../../other", (sub + "/out").c_str()) == 0);
    REQUIRE(::symlink(".", (sub + "/in").c_str()) == 0);
    for (const Access access : {Access::ReadOnly, Access::ReadWrite, Access::Hidden}) {
      CHECK(refusal(access, sub + "/out").find("a link in") != std::string::npos);
      CHECK(refusal(access, scratch.at("/link/project/sub/out")).find("a link in") !=
            std::string::npos);
      CHECK(refusal(access, sub + "/in").empty());
      CHECK(refusal(access, scratch.at("/other")).empty());
    }
    ::unlink((sub + "/out").c_str());
    ::unlink((sub + "/in").c_str());
  }

  TEST_CASE("rules become canonical; a profile's rule for what is missing is dropped") {
    const Scratch scratch;
    Policy policy;
    policy.paths = {{Access::ReadWrite, scratch.at("/link/.claude"), Origin::Profile},
                    {Access::ReadWrite, scratch.at("/home/.codex"), Origin::Profile}};
    shadow::policy::check_policy(policy, scratch.places());
    REQUIRE(policy.paths.size() == 1);
    CHECK(policy.paths.at(0).path == scratch.at("/home/.claude"));
  }

  TEST_CASE("the only file must be a regular one") {
    const Scratch scratch;
    Policy policy;
    policy.only = {scratch.at("/home/project"), Origin::CommandLine};
    CHECK_THROWS_AS(shadow::policy::check_policy(policy, scratch.places()), shadow::Error);
    policy.only.value = scratch.at("/none");
    CHECK_THROWS_AS(shadow::policy::check_policy(policy, scratch.places()), shadow::SysError);
  }
}

TEST_SUITE("policy/text") {
  TEST_CASE("the text names every setting and who said it") {
    PolicyLayer command = layer(Origin::CommandLine);
    command.profile = "strict";
    command.paths = {{Access::ReadOnly, "/new\nline", {}}};
    const std::string text =
        shadow::policy::policy_text(shadow::policy::merge_policy({command}, fixed_places), {});
    CHECK(text.find("memory           512 MiB") != std::string::npos);
    CHECK(text.find("/new\\nline") != std::string::npos);
    CHECK(text.find("command line") != std::string::npos);
    for (const LimitKind kind : shadow::policy::kAllLimits) {
      CHECK(text.find(shadow::policy::name_of(kind)) != std::string::npos);
    }
  }

  TEST_CASE("what the kernel leaves open is said, and nothing where it leaves nothing") {
    using shadow::sandbox::kernel_gaps;
    using Names = std::vector<std::string>;
    constexpr int kDebian12 = 2;  // Linux 6.1
    CHECK(kernel_gaps(shadow::sandbox::kLandlockScopeAbi, Network::Host).empty());
    const Names signals = {"signals to the caller's process group"};
    CHECK(kernel_gaps(kDebian12, Network::None) == signals);
    CHECK(kernel_gaps(0, Network::Allow) == signals);
    const Names open = kernel_gaps(kDebian12, Network::Host);
    CHECK(open == Names{"abstract sockets", signals[0]});
    const std::string text = shadow::policy::policy_text(Policy{}, {open, {}, {}});
    CHECK(text.find("left open        abstract sockets                         this kernel\n") !=
          std::string::npos);
    const auto json = nlohmann::json::parse(shadow::policy::policy_json(Policy{}, {open, {}, {}}));
    CHECK(json.at("left_open") == open);
    CHECK(shadow::policy::policy_text(Policy{}, {}).find("left open") == std::string::npos);
  }

  TEST_CASE("root's rights over the files of a project's owner are said") {
    const std::string text = shadow::policy::policy_text(Policy{}, {{}, {}, 1000});
    CHECK(text.find("rights           root's over files of user 1000") != std::string::npos);
    CHECK(nlohmann::json::parse(shadow::policy::policy_json(Policy{}, {{}, {}, 1000}))
              .at("rights_over") == 1000);
    CHECK(nlohmann::json::parse(shadow::policy::policy_json(Policy{}, {}))
              .at("rights_over")
              .is_null());
  }

  TEST_CASE("the JSON holds for bytes that are not UTF-8") {
    Policy policy;
    policy.paths = {{Access::ReadOnly, "/\xff", Origin::CommandLine}};
    const auto json = nlohmann::json::parse(shadow::policy::policy_json(policy, {}));
    CHECK(json.at("net").at("value") == "host");
    CHECK(json.at("limits").at("memory_bytes").at("value").is_null());
    CHECK(json.at("paths").at(0).at("origin") == "command line");
  }

  TEST_CASE("the record tells what deviates and never a variable's value") {
    CHECK(shadow::policy::policy_record(Policy{}) == R"({"profile":"default"})");
    PolicyLayer command = layer(Origin::CommandLine);
    command.profile = "agent";
    command.net = shadow::policy::NetworkAccess{Network::None, {}};
    command.paths = {{Access::ReadWrite, "/data", {}}};
    command.env = {{EnvRule::Action::Set, "KEY", "hunter2", {}}};
    const std::string record =
        shadow::policy::policy_record(shadow::policy::merge_policy({command}, fixed_places));
    CHECK(record.starts_with(R"({"profile":"agent","net":"none","rw":["/home/u/.claude",)"));
    CHECK(record.ends_with(R"(,"/data"],"env_set":["KEY"]})"));
  }
}
