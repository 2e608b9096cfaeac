// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "support/layers.hpp"
#include "sys/files/file.hpp"

#include <doctest/doctest.h>

#include <string>

#include <fcntl.h>

using namespace shadow::test;  // NOLINT(google-build-using-namespace): the words of tree literals
using shadow::EntryKind;
using shadow::overlay::From;
using shadow::overlay::View;

namespace {

constexpr std::uint64_t kMuch = 1U << 20U;

std::string names(const View& view, const std::string& path) {
  return shadow::join(view.list(path), " ");
}

}  // namespace

TEST_SUITE("overlay/view") {
  TEST_CASE("each path comes from the layer that says it") {
    const Layers layers{{{"low", file("l")},
                         {"both", file("l")},
                         {"d/a", file("l")},
                         {"gone", file("l")},
                         {"o/x", file("l")}},
                        {{"both", file("u")},
                         {"new", file("u")},
                         {"d/b", file("u")},
                         {"gone", whiteout()},
                         {"o", opaque()}}};
    const View view = layers.view();
    CHECK(view.where("low") == From::Lower);
    CHECK(view.where("both") == From::Upper);
    CHECK(view.where("new") == From::Upper);
    CHECK(view.where("gone") == From::Nowhere);
    CHECK(view.where("d") == From::Upper);
    CHECK(view.where("d/a") == From::Lower);
    CHECK(view.where("o/x") == From::Nowhere);
    CHECK(view.where("") == From::Upper);
    CHECK(view.look("").kind == EntryKind::Directory);
    CHECK(names(view, "") == "both d low new o");
    CHECK(names(view, "d") == "a b");
    CHECK(names(view, "o").empty());
    CHECK(names(view, "low").empty());
    CHECK(view.read("both", kMuch) == "u");
    CHECK(view.read("d/a", kMuch) == "l");
    CHECK_FALSE(view.read("gone", kMuch));
    CHECK_FALSE(view.read("d", kMuch));
    CHECK_THROWS_AS((void)view.read("both", 0), shadow::Error);
  }

  TEST_CASE("nothing of the lower shows anywhere below an opaque directory") {
    const Layers layers{{{"o/e/x", file("l")}}, {{"o", opaque()}, {"o/e/y", file("u")}}};
    CHECK(names(layers.view(), "o/e") == "y");
    CHECK(layers.view().where("o/e/x") == From::Nowhere);
  }

  TEST_CASE("a path does not lead through files, links or whiteouts") {
    const Layers layers{{{"f/x", file("l")}, {"l/x", file("l")}, {"w/x", file("l")}},
                        {{"f", file("u")}, {"l", link("w")}, {"w", whiteout()}}};
    for (const char* path : {"f/x", "l/x", "w/x", "w", "none/x"}) {
      CHECK(layers.view().where(path) == From::Nowhere);
    }
  }

  TEST_CASE("without an upper the view is the lower") {
    const Layers layers{{{"a", file("l")}}, {{"a", file("u")}}};
    const View view{-1, layers.lower()};
    CHECK(view.read("a", kMuch) == "l");
    CHECK(names(view, "") == "a");
  }

  TEST_CASE("hostile paths name nothing") {
    const Layers layers{{{"a/b", file("l")}}, {}};
    for (const char* path :
         {"..", "../lower/a", "a/../a", "/etc/passwd", "a//b", "a/", ".", "a/."}) {
      CHECK(layers.view().where(path) == From::Nowhere);
      CHECK(names(layers.view(), path).empty());
      CHECK_FALSE(layers.view().open(path, O_RDONLY));
    }
  }

  TEST_CASE("a device 0:0 in the real tree is hidden as overlayfs hides it") {
    const Layers layers{{{"w", whiteout()}, {"d/w", whiteout()}}, {{"d/x", file("")}}};
    CHECK(layers.view().where("w") == From::Nowhere);
    CHECK(names(layers.view(), "") == "d");
    CHECK(names(layers.view(), "d") == "x");
  }

  TEST_CASE("an opened FIFO is not waited for, a symlink not followed") {
    const Layers layers{{{"target", file("t")}}, {{"p", fifo()}, {"l", link("target")}}};
    CHECK(layers.view().open("p", O_RDONLY));
    CHECK_FALSE(layers.view().open("l", O_RDONLY));
    CHECK(layers.view().open("l", O_PATH));
    CHECK_FALSE(layers.view().read("l", kMuch));
    CHECK_FALSE(layers.view().read("p", kMuch));
    CHECK(layers.view().look("l").target == "target");
  }

  TEST_CASE("an opened file is the one of the view") {
    const Layers layers{{{"a", file("l")}}, {{"a", file("upper")}}};
    const auto fd = layers.view().open("a", O_RDONLY);
    REQUIRE(fd);
    CHECK(shadow::sys::read_all(fd.get()) == "upper");
    CHECK_FALSE(layers.view().open("none", O_RDONLY));
  }
}
