// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "overlay/format/look.hpp"
#include "overlay/write/rewrite.hpp"
#include "support/layers.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/xattr.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>

using shadow::test::file;
using shadow::test::hard;
using shadow::test::Layers;

namespace {

void rewrite(const Layers& layers, const std::string& path,
             const shadow::overlay::NewContent& content) {
  const shadow::sys::Fd staging = shadow::test::open_dir(layers.upper_path() + "/..");
  shadow::overlay::rewrite({layers.upper(), staging.get()}, path, content);
}

}  // namespace

TEST_SUITE("overlay/rewrite") {
  TEST_CASE("a file gets new bytes and a mode, and stays what overlayfs takes it for") {
    const Layers layers{{{"d/a b", file("1")}},
                        {{"d", shadow::test::dir(0500)},
                         {"d/a b", file("2", 0400)
                                       .with("user.k\xc3\xa9y", "v")
                                       .with("user.overlay.origin", "o")
                                       .with("user.overlay.overlay.opaque", "y")
                                       .with("user.overlay.metacopy", "")}}};
    const shadow::sys::Fd old = shadow::sys::open_beneath(layers.upper(), "d/a b", O_PATH);
    rewrite(layers, "d/a b", {"new\n", 0640, old.get()});
    const std::string path = layers.upper_path() + "/d/a b";
    CHECK(shadow::test::read_file(path) == "new\n");
    const shadow::sys::Fd now = shadow::sys::open_beneath(layers.upper(), "d/a b", O_PATH);
    CHECK(shadow::overlay::look_fd(now.get()).mode == 0640);
    CHECK(shadow::sys::get_xattr(now.get(), "user.k\xc3\xa9y") == "v");
    CHECK(shadow::sys::get_xattr(now.get(), "user.overlay.origin") == "o");
    CHECK(shadow::sys::get_xattr(now.get(), "user.overlay.overlay.opaque") == "y");
    CHECK_FALSE(shadow::sys::get_xattr(now.get(), "user.overlay.metacopy").has_value());
    CHECK(shadow::overlay::look_beneath(layers.upper(), "d").mode == 0500);
    const shadow::sys::Fd dir = shadow::test::open_dir(layers.upper_path() + "/d");
    CHECK(shadow::sys::list_dir(dir.get()).size() == 1);
  }

  TEST_CASE("the attributes can be those of the lower file; other names keep the content") {
    const Layers layers{{{"f", file("1").with("user.a", "lower")}},
                        {{"f", file("2").with("user.a", "upper")}, {"g", hard("f")}}};
    const shadow::sys::Fd lower = shadow::sys::open_beneath(layers.lower(), "f", O_PATH);
    rewrite(layers, "f", {"", 0600, lower.get()});
    const shadow::sys::Fd now = shadow::sys::open_beneath(layers.upper(), "f", O_PATH);
    CHECK(shadow::sys::get_xattr(now.get(), "user.a") == "lower");
    CHECK(shadow::test::read_file(layers.upper_path() + "/g") == "2");
  }

  TEST_CASE("what one that was killed left beside the layer is in nobody's way, and in no view") {
    const Layers layers{{}, {{"f", file("1")}}};
    const shadow::sys::Fd any = shadow::test::open_dir(layers.upper_path());
    shadow::test::build(layers.upper_path() + "/..", {{"rewritten", file("half")}});
    rewrite(layers, "f", {"new", 0600, any.get()});
    CHECK(shadow::test::read_file(layers.upper_path() + "/f") == "new");
    CHECK_FALSE(shadow::overlay::look_at(any.get(), "../rewritten").exists());
  }

  TEST_CASE("nothing is written through a link or where there is nothing") {
    const Layers layers{{}, {{"l", shadow::test::link("/tmp")}}};
    const shadow::sys::Fd any = shadow::test::open_dir(layers.upper_path());
    CHECK_THROWS_AS(rewrite(layers, "l/x", {"", 0600, any.get()}), shadow::Error);
    CHECK_THROWS_AS(rewrite(layers, "absent", {"", 0600, any.get()}), shadow::Error);
    CHECK_THROWS_AS(rewrite(layers, "../x", {"", 0600, any.get()}), shadow::Error);
  }
}
