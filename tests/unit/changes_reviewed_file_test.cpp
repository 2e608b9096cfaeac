// SPDX-License-Identifier: MIT
// A file that a review found is read as that one, or looked for again.

#include "shadow/error.hpp"

#include "changes/reviewed_file.hpp"
#include "overlay/format/look.hpp"
#include "support/scratch.hpp"

#include <doctest/doctest.h>

#include <cstdio>

#include <sys/stat.h>
#include <unistd.h>

using shadow::StaleError;
using shadow::changes::open_reviewed;

TEST_SUITE("changes/reviewed_file") {
  TEST_CASE("what was replaced or has gone since it was found is not read") {
    const shadow::test::Scratch scratch;
    const auto root = shadow::test::open_dir(scratch.path());
    shadow::test::write_file(scratch / "f", "old");
    const shadow::Entry found = shadow::overlay::look_beneath(root.get(), "f");
    CHECK(open_reviewed(root.get(), "f", found));
    shadow::test::write_file(scratch / "f", "in place");
    CHECK(open_reviewed(root.get(), "f", found));
    shadow::test::write_file(scratch / "other", "old");
    REQUIRE(std::rename((scratch / "other").c_str(), (scratch / "f").c_str()) == 0);
    CHECK_THROWS_AS((void)open_reviewed(root.get(), "f", found), StaleError);
    REQUIRE(::unlink((scratch / "f").c_str()) == 0);
    CHECK_THROWS_AS((void)open_reviewed(root.get(), "f", found), StaleError);
  }

  TEST_CASE("what may not be read is none of that") {
    if (::geteuid() == 0) {
      MESSAGE("skipped: root may read all");
      return;
    }
    const shadow::test::Scratch scratch;
    const auto root = shadow::test::open_dir(scratch.path());
    shadow::test::write_file(scratch / "f", "old");
    REQUIRE(::chmod((scratch / "f").c_str(), 0) == 0);
    const shadow::Entry found = shadow::overlay::look_beneath(root.get(), "f");
    CHECK_FALSE(open_reviewed(root.get(), "f", found));
  }
}
