// SPDX-License-Identifier: MIT
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "run/masks.hpp"
#include "support/session_fixture.hpp"
#include "sys/files/beneath.hpp"

#include <doctest/doctest.h>

namespace overlay = shadow::overlay;
namespace sys = shadow::sys;
using shadow::sandbox::HomeView;

namespace {

// A home with two of the directories that secrets lie in, and a session over it.
class Home {
 public:
  Home() {
    plan.home = fixture_.root() + " home";
    plan.state = state_.path();
    plan.secrets = {".netrc", ".config/gh", ".tool/config", "new\nline"};
    (void)::mkdir(plan.home.c_str(), S_IRWXU);
    (void)::mkdir((plan.home + "/.config").c_str(), S_IRWXU);
    shadow::run::seed_masks(session_, plan);
    settle();
  }

  // What was masked in the same tick of the filesystem's clock is masked again.
  void settle() const {
    constexpr int kPatience = 50;
    for (int i = 0; i < kPatience && renew(); ++i) {
      sys::wait_for_coarse_tick(sys::coarse_now_ns());
    }
  }
  [[nodiscard]] bool renew() const { return shadow::run::renew_masks(session_, plan); }

  [[nodiscard]] bool masked(const std::string& path) const {
    const sys::SplitPath parts = sys::split_path(path);
    const sys::Fd dir = sys::try_open_at(AT_FDCWD, upper() + "/" + std::string{parts.parent},
                                         O_RDONLY | O_DIRECTORY);
    const std::string name{parts.name};
    return dir && overlay::is_whiteout(overlay::look_at(dir.get(), name));
  }
  [[nodiscard]] std::string upper() const {
    return session_.path() +
           (plan.home_view == HomeView::ReadOnly ? "/home-ro/upper" : "/home/upper");
  }

  shadow::sandbox::SessionPlan plan;

 private:
  shadow::test::SessionFixture fixture_;
  shadow::StateDir state_ = shadow::StateDir::open();
  shadow::session::SessionDir session_ = shadow::session::SessionDir::find_or_make(
      state_, shadow::session_id({fixture_.root(), "a b/../c"}));
};

}  // namespace

TEST_SUITE("run/masks") {
  TEST_CASE("secrets are masked whose directory exists, the others once it does") {
    Home home;
    CHECK(home.masked(".netrc"));
    CHECK(home.masked(".config/gh"));
    CHECK(home.masked("new\nline"));
    CHECK_FALSE(home.masked(".tool/config"));
    CHECK_FALSE(home.renew());
    (void)::mkdir((home.plan.home + "/.tool").c_str(), S_IRWXU);
    CHECK(home.renew());
    CHECK(home.masked(".tool/config"));
    home.settle();
    CHECK_FALSE(home.renew());
  }

  TEST_CASE("a mask that a run lifted is back before the next run, whatever hides it") {
    Home home;
    for (const char* path : {".netrc", ".config/gh", "new\nline"}) {
      CAPTURE(path);
      REQUIRE(::unlink((home.upper() + "/" + path).c_str()) == 0);
      CHECK(home.renew());
      CHECK(home.masked(path));
      home.settle();
    }
    // The directory closed to its owner, or the whole home.
    REQUIRE(::unlink((home.upper() + "/.config/gh").c_str()) == 0);
    REQUIRE(::chmod((home.upper() + "/.config").c_str(), 0) == 0);
    CHECK(home.renew());
    REQUIRE(::chmod((home.upper() + "/.config").c_str(), S_IRWXU) == 0);
    CHECK(home.masked(".config/gh"));
    home.settle();
    REQUIRE(::unlink((home.upper() + "/.netrc").c_str()) == 0);
    REQUIRE(::chmod(home.upper().c_str(), 0) == 0);
    CHECK(home.renew());
    REQUIRE(::chmod(home.upper().c_str(), S_IRWXU) == 0);
    CHECK(home.masked(".netrc"));
  }

  TEST_CASE("what a run put in the place of a secret or its directory is left") {
    Home home;
    REQUIRE(::unlink((home.upper() + "/.netrc").c_str()) == 0);
    REQUIRE(::mkdir((home.upper() + "/.netrc").c_str(), S_IRWXU) == 0);
    sys::remove_tree(AT_FDCWD, home.upper() + "/.config");
    REQUIRE(::symlink("/", (home.upper() + "/.config").c_str()) == 0);
    CHECK(home.renew());
    CHECK_FALSE(home.masked(".netrc"));
    // Made anew it hides the lower one altogether; a whiteout in it would show as a device.
    REQUIRE(::unlink((home.upper() + "/.config").c_str()) == 0);
    REQUIRE(::mkdir((home.upper() + "/.config").c_str(), S_IRWXU) == 0);
    {
      const sys::Fd made = sys::open_path(home.upper() + "/.config", O_RDONLY | O_DIRECTORY);
      overlay::set_opaque(made.get());
    }
    CHECK(home.renew());
    CHECK_FALSE(home.masked(".config/gh"));
  }

  TEST_CASE("a secret that the configuration adds is masked in a session that exists") {
    Home home;
    home.plan.secrets.emplace_back(".config/tool");
    CHECK(home.renew());
    CHECK(home.masked(".config/tool"));
    home.settle();
    CHECK_FALSE(home.renew());
  }

  TEST_CASE("the read-only home has a layer of its own, of masks alone") {
    Home home;
    home.plan.home_view = HomeView::ReadOnly;
    CHECK(home.renew());
    CHECK(home.masked(".netrc"));
    CHECK(home.masked(".config/gh"));
    home.settle();
    CHECK_FALSE(home.renew());
  }
}
