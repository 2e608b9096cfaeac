// SPDX-License-Identifier: MIT
#include "run/plan_run.hpp"
#include "support/session_fixture.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using shadow::policy::Access;
using shadow::policy::HomeMode;
using shadow::policy::LimitKind;
using shadow::policy::Network;
using shadow::policy::Origin;
using shadow::sandbox::HomeView;

namespace {

struct Planned {
  shadow::test::SessionFixture fixture;
  shadow::StateDir state = shadow::StateDir::open();
  shadow::session::SessionDir session = shadow::session::SessionDir::find_or_make(
      state, shadow::session_id({fixture.root(), "a b/../c"}));
  shadow::run::RunRequest request;

  Planned() {
    request.project.root = fixture.root();
    request.project.cwd = fixture.root() + "/sub";
    request.agent = "a b/../c";
    request.argv = {"echo", "new\nline", "\xff"};
  }
  [[nodiscard]] shadow::sandbox::SessionPlan session_plan() const {
    return shadow::run::plan_session(state, session, request, {});
  }
  [[nodiscard]] shadow::sandbox::RunPlan run_plan() const {
    return shadow::run::plan_run(session, request);
  }
};

bool has(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

TEST_SUITE("run/plan_run") {
  TEST_CASE("a policy without settings is the view, the home read through, and nothing more") {
    const Planned planned;
    const auto session = planned.session_plan();
    CHECK(session.project == planned.fixture.root());
    CHECK(session.directory == planned.session.path());
    CHECK(session.state == planned.state.path());
    CHECK(session.home_view == HomeView::Overlay);
    CHECK(session.home_may_fall_back);
    CHECK(has(session.secrets, ".ssh"));
    const auto run = planned.run_plan();
    CHECK(run.argv == planned.request.argv);
    CHECK(run.cwd == planned.fixture.root() + "/sub");
    CHECK(run.network == Network::Host);
    CHECK((run.read_only.empty() && run.read_write.empty() && run.hidden.empty()));
    CHECK_FALSE(run.home_view);
    CHECK_FALSE(run.tmp_size);
    CHECK(run.only.empty());
    CHECK(has(run.environment, "SHADOW_SESSION=" + planned.session.id()));
  }

  TEST_CASE("each setting of a policy has its place in the plan") {
    Planned planned;
    shadow::policy::Policy& policy = planned.request.policy;
    policy.net.value.network = Network::None;
    policy.home.value = HomeMode::ReadOnly;
    policy.hide_secrets.value = true;
    policy.secret_patterns = {"*.key"};
    policy.limits.at(static_cast<std::size_t>(LimitKind::TmpSize)).value = 4096;
    policy.paths = {{Access::ReadOnly, "/a b", Origin::CommandLine},
                    {Access::ReadWrite, "/\xff", Origin::CommandLine},
                    {Access::Hidden, "/-dash", Origin::GlobalConfig}};
    CHECK(planned.session_plan().home_view == HomeView::ReadOnly);
    CHECK_FALSE(planned.session_plan().home_may_fall_back);
    const auto run = planned.run_plan();
    CHECK(run.network == Network::None);
    CHECK(run.home_view == HomeView::ReadOnly);
    CHECK(run.hide_project_secrets);
    CHECK(run.secret_patterns == policy.secret_patterns);
    CHECK(run.tmp_size == 4096);
    CHECK(run.read_only == std::vector<std::string>{"/a b"});
    CHECK(run.read_write == std::vector<std::string>{"/\xff"});
    CHECK(run.hidden == std::vector<std::string>{"/-dash"});
  }

  TEST_CASE("one file to work on comes with an empty home, unless another one was asked for") {
    Planned planned;
    planned.request.policy.only.value = planned.fixture.root() + "/file";
    CHECK(planned.run_plan().only == planned.fixture.root() + "/file");
    CHECK(planned.run_plan().home_view == HomeView::Private);
    planned.request.policy.home.value = HomeMode::Overlay;
    CHECK(planned.run_plan().home_view == HomeView::Overlay);
  }

  TEST_CASE("a home inside of the project is part of its view") {
    Planned planned;
    planned.request.project.root =
        planned.fixture.root().substr(0, planned.fixture.root().rfind('/'));
    CHECK(planned.session_plan().home_view == HomeView::None);
    CHECK(planned.session_plan().home.empty());
  }
}
