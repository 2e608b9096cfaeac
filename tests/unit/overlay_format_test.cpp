// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "support/scratch.hpp"
#include "support/tree.hpp"
#include "sys/files/xattr.hpp"

#include <doctest/doctest.h>

#include <string>

#include <fcntl.h>

using namespace shadow::test;  // NOLINT(google-build-using-namespace): the words of tree literals
namespace overlay = shadow::overlay;
namespace sys = shadow::sys;

TEST_SUITE("overlay/format") {
  TEST_CASE("a whiteout is a device 0:0 and may be made without privilege") {
    const Scratch scratch;
    build(scratch.path(), {{"f", file("")}, {"d", dir()}, {"l", link("x")}});
    const auto root = open_dir(scratch.path());
    overlay::make_whiteout(root.get(), "new\nline");
    CHECK(overlay::is_whiteout(overlay::look_at(root.get(), "new\nline")));
    for (const char* name : {"f", "d", "l", "none"}) {
      CHECK_FALSE(overlay::is_whiteout(overlay::look_at(root.get(), name)));
    }
    CHECK_THROWS_AS(overlay::make_whiteout(root.get(), "f"), shadow::SysError);
  }

  TEST_CASE("an empty file with the attribute is a whiteout, whatever its value") {
    const Scratch scratch;
    build(scratch.path(), {{"w", file("").with("user.overlay.whiteout", "")},
                           {"v", file("").with("user.overlay.whiteout", "n")},
                           {"full", file("1").with("user.overlay.whiteout", "y")},
                           {"dir", dir().with("user.overlay.whiteout", "y")},
                           {"f", file("")},
                           {"c", whiteout()}});
    const auto root = open_dir(scratch.path());
    const auto is = [&](const char* name) {
      return overlay::is_whiteout_at(root.get(), name, overlay::look_at(root.get(), name));
    };
    CHECK(is("w"));
    CHECK(is("v"));
    CHECK(is("c"));
    CHECK_FALSE(is("full"));
    CHECK_FALSE(is("dir"));
    CHECK_FALSE(is("f"));
  }

  TEST_CASE("a directory is opaque when the attribute is exactly y") {
    const Scratch scratch;
    const auto root = open_dir(scratch.path());
    CHECK_FALSE(overlay::is_opaque(root.get()));
    for (const char* value : {"x", "n", "", "yy", "y\n"}) {
      sys::set_xattr(root.get(), "user.overlay.opaque", value);
      CHECK_FALSE(overlay::is_opaque(root.get()));
    }
    overlay::set_opaque(root.get());
    CHECK(overlay::is_opaque(root.get()));
    overlay::clear_opaque(root.get());
    CHECK_FALSE(overlay::is_opaque(root.get()));
    overlay::clear_opaque(root.get());
  }

  TEST_CASE("attributes are those of the view, sorted") {
    const Scratch scratch;
    build(scratch.path(), {{"f", file("")
                                     .with("user.z", "last")
                                     .with("user.overlay.origin", "")
                                     .with("user.overlay.overlay.mine", "m")
                                     .with("user.a", std::string("\0\xff", 2))}});
    const auto fd = sys::open_path(scratch / "f", O_PATH);
    CHECK(overlay::has_origin(fd.get()));
    const overlay::Xattrs expected{
        {"user.a", std::string("\0\xff", 2)}, {"user.overlay.mine", "m"}, {"user.z", "last"}};
    CHECK(overlay::user_xattrs(fd.get()) == expected);
  }
}
