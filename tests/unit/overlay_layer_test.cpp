// SPDX-License-Identifier: MIT
#include "overlay/format/format.hpp"
#include "overlay/format/layer.hpp"
#include "overlay/format/look.hpp"
#include "support/scratch.hpp"
#include "support/tree.hpp"
#include "sys/files/xattr.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>

using namespace shadow::test;  // NOLINT(google-build-using-namespace): the words of tree literals
namespace overlay = shadow::overlay;
namespace sys = shadow::sys;

TEST_SUITE("overlay/layer") {
  TEST_CASE("a layer's root takes over mode and attributes of the real root") {
    const Scratch scratch;
    build(scratch / "real", {});
    const auto real = open_dir(scratch / "real");
    sys::set_xattr(real.get(), "user.note", "n");
    sys::set_xattr(real.get(), "user.overlay.opaque", "y");
    REQUIRE(::fchmod(real.get(), 02750) == 0);
    const auto state = open_dir(scratch.path());
    overlay::create_layer(state.get(), "id/project", real.get());
    const auto upper = open_dir(scratch / "id/project/upper");
    CHECK((overlay::look_fd(upper.get()).mode & 0777) == 0750);
    CHECK(sys::get_xattr(upper.get(), "user.note") == "n");
    CHECK_FALSE(overlay::is_opaque(upper.get()));
    CHECK(overlay::look_beneath(state.get(), "id/project/work").mode == 0700);
    CHECK(overlay::look_beneath(state.get(), "id").mode == 0700);
    CHECK_FALSE(overlay::look_beneath(state.get(), "id/project/upper.new").exists());
  }

  TEST_CASE("a default ACL comes along where the filesystem has them") {
    const Scratch scratch;
    build(scratch / "real", {});
    const auto real = open_dir(scratch / "real");
    // Version 2; user::rwx, group::r-x, other::--- with the ids that these entries do not have.
    const std::string acl{
        "\x02\0\0\0\x01\0\x07\0\xff\xff\xff\xff\x04\0\x05\0\xff\xff\xff\xff\x20\0\0\0\xff\xff\xff"
        "\xff",
        28};
    try {
      sys::set_xattr(real.get(), "system.posix_acl_default", acl);
    } catch (const std::exception&) {
      MESSAGE("skipped: no ACLs here");
      return;
    }
    const auto state = open_dir(scratch.path());
    overlay::create_layer(state.get(), "l", real.get());
    const auto upper = open_dir(scratch / "l/upper");
    CHECK(sys::get_xattr(upper.get(), "system.posix_acl_default") == acl);
  }

  TEST_CASE("an existing layer is left as it is") {
    const Scratch scratch;
    build(scratch / "real", {});
    build(scratch / "l", {{"upper", dir(0711)}, {"upper/a", file("1")}});
    const auto state = open_dir(scratch.path());
    overlay::create_layer(state.get(), "l", open_dir(scratch / "real").get());
    CHECK(overlay::look_beneath(state.get(), "l/upper").mode == 0711);
    CHECK(overlay::look_beneath(state.get(), "l/upper/a").exists());
    CHECK(overlay::look_beneath(state.get(), "l/work").exists());
  }

  TEST_CASE("the mark of a volatile mount is cleared, also out of directories of mode 0") {
    constexpr std::array<const char*, 3> kInnermostFirst{"work/work/incompat/volatile",
                                                         "work/work/incompat", "work/work"};
    for (const bool dirty : {true, false}) {
      const Scratch scratch;
      build(scratch / "work", {{"work/incompat/volatile", dir()}});
      if (dirty) {
        write_file(scratch / "work/work/incompat/volatile/dirty", "");
      }
      for (const char* const name : kInnermostFirst) {
        REQUIRE(::chmod((scratch / name).c_str(), 0) == 0);
      }
      const auto work = sys::open_path(scratch / "work", O_PATH | O_DIRECTORY);
      overlay::clear_volatile_marker(work.get());
      overlay::clear_volatile_marker(work.get());
      REQUIRE(::chmod((scratch / "work/work").c_str(), 0700) == 0);
      CHECK(snapshot(scratch / "work").size() == 1);
    }
  }

  TEST_CASE("a work directory that was never mounted has no mark") {
    const Scratch scratch;
    build(scratch / "work", {});
    overlay::clear_volatile_marker(open_dir(scratch / "work").get());
    CHECK(snapshot(scratch / "work").empty());
  }
}
