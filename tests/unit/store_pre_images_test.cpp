// SPDX-License-Identifier: MIT
#include "store/contents/pre_images.hpp"
#include "support/scratch.hpp"
#include "support/trees.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using shadow::store::PreImages;
using shadow::test::Scratch;
using shadow::test::write_file;
namespace sys = shadow::sys;

TEST_SUITE("store/pre_images") {
  TEST_CASE("a file is moved in, read, counted and removed with its apply") {
    const Scratch scratch;
    PreImages kept{scratch.path()};
    write_file(scratch.path(), "a\nb", "content");
    write_file(scratch.path(), "-c", "more");
    const sys::Fd dir = sys::open_path(scratch.path(), O_RDONLY | O_DIRECTORY);
    REQUIRE(kept.take(dir.get(), "a\nb", 7, 0));
    REQUIRE(kept.take(dir.get(), "-c", 7, 100));
    CHECK_FALSE(sys::read_file_at(dir.get(), "a\nb"));
    CHECK(sys::read_all(kept.open(7, 0).get()) == "content");
    CHECK_FALSE(kept.open(7, 1));
    CHECK(kept.applies() == std::vector<std::int64_t>{7});
    CHECK(kept.usage_of(7).files == 2);
    CHECK(kept.usage_of(7).bytes == 11);
    kept.remove(7);
    CHECK(kept.applies().empty());
  }

  TEST_CASE("what is kept is never replaced, and another filesystem's file is left where it is") {
    const Scratch scratch;
    PreImages kept{scratch.path()};
    const sys::Fd dir = sys::open_path(scratch.path(), O_RDONLY | O_DIRECTORY);
    write_file(scratch.path(), "f", "first");
    REQUIRE(kept.take(dir.get(), "f", 1, 1));
    write_file(scratch.path(), "f", "second");
    CHECK_FALSE(kept.take(dir.get(), "f", 1, 1));
    CHECK(sys::read_file_at(dir.get(), "f") == "second");
    CHECK(sys::read_all(kept.open(1, 1).get()) == "first");
    const sys::Fd proc = sys::open_path("/proc/self", O_RDONLY | O_DIRECTORY);
    CHECK_FALSE(kept.take(proc.get(), "comm", 1, 2));
  }
}
