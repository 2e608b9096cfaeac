// SPDX-License-Identifier: MIT
// Nothing in a layer, and no path that is asked for, leads out of the layer.

#include "shadow/error.hpp"

#include "overlay/read/scan.hpp"
#include "overlay/write/prune.hpp"
#include "support/layers.hpp"
#include "sys/files/dir.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

using namespace shadow::test;  // NOLINT(google-build-using-namespace): the words of tree literals
namespace overlay = shadow::overlay;
namespace sys = shadow::sys;

namespace {

// A directory beside the layers, with what must never be reached.
struct Canary {
  Scratch place;
  Snapshot before;

  Canary() {
    build(place / "dir", {{"x", file("secret")}, {"sub/y", file("secret")}});
    before = snapshot(place.path());
  }
  [[nodiscard]] std::string path() const { return place / "dir"; }
  void check() const { CHECK(differences(before, snapshot(place.path())) == ""); }
};

std::vector<std::string> upper_paths(const Layers& layers) {
  std::vector<std::string> paths;
  for (overlay::UpperEntry& entry : overlay::list_upper(layers.upper())) {
    paths.push_back(std::move(entry.path));
  }
  return paths;
}

}  // namespace

TEST_SUITE("overlay/escape") {
  TEST_CASE("links in the session lead nowhere, whatever is asked for through them") {
    const Canary canary;
    const Layers layers{{{"d/x", file("1")}, {"d/sub/y", file("1")}},
                        {{"d", link(canary.path())}, {"up", link("../..")}, {"me", link("me")}}};
    CHECK(layers.scan() == "T d\nD d/sub\nD d/sub/y\nD d/x\nA me\nA up\n");
    for (const char* path : {"d/x", "d/sub/y", "up/x", "me/me", "me/x"}) {
      CAPTURE(path);
      CHECK_FALSE(layers.view().look(path).exists());
      CHECK_FALSE(layers.view().read(path, 100).has_value());
      CHECK_FALSE(layers.view().open(path, O_RDONLY));
      CHECK(layers.view().list(path).empty());
    }
    CHECK_THROWS_AS(overlay::drop(layers.upper(), layers.lower(), "d/x"), shadow::Error);
    overlay::prune(layers.upper(), layers.lower(), {"d/x", "d/sub", "d/sub/y", "me/x", "up/x"});
    overlay::mask(layers.upper(), layers.lower(), "d/x");
    CHECK(layers.scan() == "T d\nD d/sub\nD d/sub/y\nD d/x\nA me\nA up\n");
    canary.check();
  }

  TEST_CASE("links in the real tree lead nowhere either") {
    const Canary canary;
    const Layers layers{{{"d", link(canary.path())}}, {{"d", opaque()}, {"d/x", file("secret")}}};
    CHECK(layers.scan() == "T d\nA d/x\n");
    CHECK(layers.view().list("d") == std::vector<std::string>{"x"});
    overlay::prune(layers.upper(), layers.lower(), upper_paths(layers));
    CHECK(layers.scan() == "T d\nA d/x\n");
    overlay::drop(layers.upper(), layers.lower(), "d");
    CHECK(layers.scan().empty());
    canary.check();
  }

  TEST_CASE("paths that are none are refused, and nothing happens") {
    const Canary canary;
    const Layers layers{{{"d/x", file("1")}}, {{"d/x", file("2")}}};
    const std::string out = "../../" + canary.path().substr(canary.path().rfind('/'));
    const Snapshot lower = snapshot(layers.lower_path());
    const Snapshot upper = snapshot(layers.upper_path());
    for (const std::string& path :
         {std::string{"."}, std::string{".."}, std::string{"d/.."}, std::string{"../lower/d/x"},
          std::string{"/"}, std::string{"/etc/passwd"}, std::string{"d//x"}, std::string{"d/"},
          std::string{"d/./x"}, std::string{"d\0/x", 4}, out}) {
      CAPTURE(path);
      CHECK_FALSE(layers.view().look(path).exists());
      CHECK_FALSE(layers.view().open(path, O_PATH));
      CHECK_THROWS_AS(overlay::drop(layers.upper(), layers.lower(), path), shadow::Error);
      CHECK_THROWS_AS(overlay::prune(layers.upper(), layers.lower(), {path}), shadow::Error);
      CHECK_THROWS_AS(overlay::mask(layers.upper(), layers.lower(), path), shadow::Error);
    }
    CHECK_THROWS_AS(overlay::drop(layers.upper(), layers.lower(), ""), shadow::Error);
    CHECK(differences(lower, snapshot(layers.lower_path())) == "");
    CHECK(differences(upper, snapshot(layers.upper_path())) == "");
    canary.check();
  }

  TEST_CASE("device nodes are told and taken out, and never opened") {
    const Layers layers{{{"full", file("1")}}, {}};
    const auto make = [&](const char* name, unsigned major, unsigned minor) {
      return ::mknodat(layers.upper(), name, S_IFCHR | 0600, ::makedev(major, minor)) == 0;
    };
    if (!make("full", 1, 7)) {
      MESSAGE("skipped: only root can make device nodes");
      return;
    }
    REQUIRE(make("zero", 1, 5));
    REQUIRE(make("no-driver", 4000, 1));
    CHECK(layers.scan() == "T full\nA no-driver\nA zero\n");
    CHECK_FALSE(layers.view().read("zero", 100).has_value());
    CHECK_FALSE(layers.view().open("zero", O_RDONLY));
    overlay::prune(layers.upper(), layers.lower(), upper_paths(layers));
    for (const char* name : {"full", "zero", "no-driver"}) {
      overlay::drop(layers.upper(), layers.lower(), name);
    }
    CHECK(layers.scan().empty());
  }

  TEST_CASE("removing a tree removes its links, not what they lead to") {
    const Canary canary;
    const Scratch scratch;
    build(scratch / "t",
          {{"d/l", link(canary.path())}, {"d/e/up", link("../../..")}, {"x", dir(0)}});
    sys::remove_tree(AT_FDCWD, scratch / "t");
    CHECK(snapshot(scratch.path()).empty());
    canary.check();
  }
}
