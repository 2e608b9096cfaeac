// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "overlay/read/scan.hpp"
#include "support/layers.hpp"
#include "sys/files/xattr.hpp"

#include <doctest/doctest.h>

#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace shadow::test;  // NOLINT(google-build-using-namespace): the words of tree literals
namespace overlay = shadow::overlay;

namespace {

std::string scan(const Tree& lower, const Tree& upper) {
  return Layers{lower, upper}.scan();
}

}  // namespace

TEST_SUITE("overlay/scan") {
  TEST_CASE("an empty upper changes nothing") {
    CHECK(scan({{"a", file("x")}, {"d/e", file("y")}}, {}).empty());
  }

  TEST_CASE("files that are new, modified, of another mode, deleted") {
    const Tree lower{{"content", file("old")},
                     {"size", file("old")},
                     {"mode", file("same", 0644)},
                     {"gone", file("x")},
                     {"stays", file("x")}};
    const Tree upper{{"content", file("new")},
                     {"size", file("longer")},
                     {"mode", file("same", 0755)},
                     {"gone", whiteout()},
                     {"new", file("")}};
    CHECK(scan(lower, upper) == "M content c\nD gone\nM mode m\nA new\nM size c\n");
  }

  TEST_CASE("what was copied up and equals the lower is no change") {
    const Tree tree{{"f", file("same").with("user.note", "1")},
                    {"l", link("somewhere")},
                    {"d", dir(0700)},
                    {"d/p", fifo()},
                    {"d/s", sock()}};
    CHECK(scan(tree, tree).empty());
  }

  TEST_CASE("a deleted tree is listed with everything in it") {
    const Tree lower{{"d/a", file("x")}, {"d/e/b", file("x")}, {"d/l", link("a")}};
    CHECK(scan(lower, {{"d", whiteout()}}) == "D d\nD d/a\nD d/e\nD d/e/b\nD d/l\n");
  }

  TEST_CASE("an added tree is listed with everything in it") {
    const Tree upper{{"d/a", file("x")}, {"d/e/b", file("x")}, {"d/f", dir()}};
    CHECK(scan({}, upper) == "A d\nA d/a\nA d/e\nA d/e/b\nA d/f\n");
  }

  TEST_CASE("whiteouts over nothing are no change") {
    CHECK(scan({{"d", dir()}}, {{"a", whiteout()}, {"d/b", whiteout()}, {"n/c", whiteout()}}) ==
          "A n\n");
  }

  TEST_CASE("an opaque directory is compared file by file") {
    const Tree lower{{"d/same", file("1")},
                     {"d/other", file("2")},
                     {"d/gone/x", file("3")},
                     {"d/sub/y", file("4")},
                     {"d/sub/z", file("5")}};
    const Tree upper{{"d", opaque()},
                     {"d/same", file("1")},
                     {"d/other", file("X")},
                     {"d/new", file("N")},
                     {"d/sub/y", file("4")}};
    CHECK(scan(lower, upper) == "D d/gone\nD d/gone/x\nA d/new\nM d/other c\nD d/sub/z\n");
  }

  TEST_CASE("an opaque directory that is the lower again is no change") {
    const Tree tree{{"d/a", file("1")}, {"d/e/b", file("2")}};
    Tree upper = tree;
    upper["d"] = opaque();
    CHECK(scan(tree, upper).empty());
  }

  TEST_CASE("type changes list the children that come and go") {
    const Tree lower{{"f2d", file("x")}, {"d2f/a", file("x")}, {"d2l/b", file("x")},
                     {"l2f", link("x")}, {"f2p", file("x")},   {"l2d", link("x")}};
    const Tree upper{{"f2d/n", file("x")}, {"d2f", file("x")}, {"d2l", link("/etc")},
                     {"l2f", file("x")},   {"f2p", fifo()},    {"l2d", dir()}};
    CHECK(scan(lower, upper) ==
          "T d2f\nD d2f/a\nT d2l\nD d2l/b\nT f2d\nA f2d/n\nT f2p\nT l2d\nT l2f\n");
  }

  TEST_CASE("symlinks are compared by target and never followed") {
    const Tree lower{{"same", link("a")}, {"other", link("a")}, {"d/x", file("1")}};
    const Tree upper{{"same", link("a")},
                     {"other", link("b")},
                     {"dangling", link("/no/where")},
                     {"up", link("..")},
                     {"d", link("/")}};
    CHECK(scan(lower, upper) == "T d\nD d/x\nA dangling\nM other c\nA up\n");
  }

  TEST_CASE("modes of FIFOs, sockets and directories count") {
    const Tree lower{{"p", fifo()}, {"s", sock()}, {"d", dir(0755)}};
    Tree upper = lower;
    upper["p"].mode = 0600;
    upper["s"].mode = 0600;
    upper["d"].mode = 0700;
    CHECK(scan(lower, upper) == "M d m\nM p m\nM s m\n");
  }

  TEST_CASE("user attributes count, overlayfs' own do not") {
    const Tree lower{{"a", file("x").with("user.k", "1")}, {"b", file("x")}, {"d", dir()}};
    const Tree upper{
        {"a", file("x").with("user.k", "2")},
        {"b", file("x").with("user.overlay.origin", "").with("user.overlay.impure", "y")},
        {"d", dir().with("user.overlay.overlay.mine", "1")}};
    CHECK(scan(lower, upper) == "M a x\nM d x\n");
  }

  TEST_CASE("overlayfs' attributes in the real tree are not seen in the view either") {
    const Tree lower{{"a", file("x").with("user.overlay.origin", "z")},
                     {"b", file("x").with("user.overlay.overlay.k", "1")}};
    const Tree upper{{"a", file("x")}, {"b", file("x").with("user.overlay.overlay.k", "1")}};
    CHECK(scan(lower, upper).empty());
  }

  TEST_CASE("a new hard link points to the file that was there, else to the first new one") {
    const Tree lower{{"old", file("x")}, {"mod", file("x")}};
    const Tree upper{{"old", file("x")}, {"z-link", hard("old")},    {"b", file("new")},
                     {"a", hard("b")},   {"mod", file("more text")}, {"mod2", hard("mod")}};
    CHECK(scan(lower, upper) == "A a\nA b = a\nM mod c\nA mod2 = mod\nA z-link = old\n");
  }

  TEST_CASE("a file that became a name of an unchanged one says so") {
    const Tree lower{{"a", file("1")}, {"b", file("2")}};
    CHECK(scan(lower, {{"b", file("2")}, {"a", hard("b")}}) == "M a c = b\n");
  }

  TEST_CASE("whiteouts that share an inode are no hard links") {
    const Layers layers{{{"a", file("1")}, {"b", file("1")}}, {{"a", whiteout()}}};
    REQUIRE(::linkat(layers.upper(), "a", layers.upper(), "b", 0) == 0);
    CHECK(layers.scan() == "D a\nD b\n");
  }

  TEST_CASE("changes are sorted bytewise, also where a directory's name is a prefix") {
    CHECK(scan({}, {{"a/x", file("")}, {"a-b", file("")}, {"a", dir()}, {"A", file("")}}) ==
          "A A\nA a\nA a-b\nA a/x\n");
  }

  TEST_CASE("names may hold any byte") {
    const std::string longest(255, 'n');
    const Tree upper{{"new\nline", file("")}, {"\xff\xfe", file("")}, {"-dash", file("")},
                     {"a b", file("")},       {":,\\", file("")},     {longest, file("")}};
    const Layers layers{{}, upper};
    const shadow::ChangeSet set = overlay::scan(layers.upper(), layers.lower());
    REQUIRE(set.changes.size() == upper.size());
    for (const shadow::Change& change : set.changes) {
      CHECK(upper.count(change.path) == 1);
    }
  }

  TEST_CASE("entries come with what both sides are") {
    const Layers layers{{{"f", file("12", 0600)}, {"l", link("a")}},
                        {{"f", file("1234", 0755)}, {"l", link("bc")}}};
    const shadow::ChangeSet set = overlay::scan(layers.upper(), layers.lower());
    REQUIRE(set.changes.size() == 2);
    CHECK(set.changes[0].before.size == 2);
    CHECK(set.changes[0].before.mode == 0600);
    CHECK(set.changes[0].after.size == 4);
    CHECK(set.changes[0].after.mode == 0755);
    CHECK(set.changes[1].before.target == "a");
    CHECK(set.changes[1].after.target == "bc");
  }

  TEST_CASE("what is not wanted is neither walked nor listed") {
    const Layers layers{{{"keep/a", file("1")}, {"skip/b", file("1")}},
                        {{"keep/a", file("2")}, {"skip", whiteout()}, {"file", file("")}}};
    std::string asked;
    const overlay::Wanted wanted = [&asked](std::string_view path, bool directory) {
      asked += std::string{path} + (directory ? "/ " : " ");
      return path.substr(0, 4) != "skip" && path != "file";
    };
    CHECK(to_text(overlay::scan(layers.upper(), layers.lower(), wanted)) == "M keep/a c\n");
    CHECK(asked == "file keep/ keep/a skip/ ");
  }

  TEST_CASE("a lower that is gone by now counts as absent") {
    const Layers layers{{{"d/a", file("1")}}, {{"d/a", file("1")}, {"d/b", whiteout()}}};
    REQUIRE(::unlinkat(layers.lower(), "d/a", 0) == 0);
    CHECK(layers.scan() == "A d/a\n");
    REQUIRE(::unlinkat(layers.lower(), "d", AT_REMOVEDIR) == 0);
    CHECK(layers.scan() == "A d\nA d/a\n");
  }

  TEST_CASE("a directory cannot be hidden by what else an attribute says") {
    const Tree lower{{"d/a", file("1")}};
    for (const char* value : {"x", "n", "", "yes", "y\n"}) {
      CHECK(scan(lower, {{"d", dir().with("user.overlay.opaque", value)}}).empty());
    }
    // The kernel does not ask for the root's.
    const Layers layers{lower, {{"n", file("")}}};
    shadow::sys::set_xattr(layers.upper(), "user.overlay.opaque", "y");
    CHECK(layers.scan() == "A n\n");
    CHECK(layers.view().look("d/a").exists());
  }

  TEST_CASE("redirects and metacopies are never followed") {
    const Tree lower{{"secret/k", file("hidden")}, {"f", file("hidden")}, {"d/a", file("1")}};
    const Tree upper{
        {"d", dir().with("user.overlay.redirect", "/secret")},
        {"n", dir().with("user.overlay.redirect", "/secret")},
        {"f",
         file("").with("user.overlay.metacopy", "").with("user.overlay.redirect", "/secret/k")}};
    CHECK(scan(lower, upper) == "M f c\nA n\n");
  }

  TEST_CASE("an empty file marked as a whiteout deletes; a file with content does not") {
    const Tree lower{{"a", file("1")}, {"b", file("2")}};
    const Tree upper{{"a", file("").with("user.overlay.whiteout", "")},
                     {"b", file("3").with("user.overlay.whiteout", "")}};
    CHECK(scan(lower, upper) == "D a\nM b c\n");
  }

  TEST_CASE("large sparse files are compared by their data") {
    const Layers layers{{{"a", file("")}, {"b", file("")}}, {{"a", file("")}, {"b", file("")}}};
    constexpr off_t kHuge = off_t{1} << 40;
    for (const int root : {layers.upper(), layers.lower()}) {
      for (const char* name : {"a", "b"}) {
        const auto fd = shadow::sys::open_at(root, name, O_RDWR);
        REQUIRE(::ftruncate(fd.get(), kHuge) == 0);
        REQUIRE(::pwrite(fd.get(), "data", 4, kHuge / 2) == 4);
      }
    }
    CHECK(layers.scan().empty());
    const auto fd = shadow::sys::open_at(layers.upper(), "b", O_RDWR);
    REQUIRE(::pwrite(fd.get(), "x", 1, kHuge - 1) == 1);
    CHECK(layers.scan() == "M b c\n");
  }

  TEST_CASE("a hole and zeros are the same content") {
    const Layers layers{{{"a", file(std::string(300'000, '\0'))}}, {{"a", file("")}}};
    REQUIRE(::truncate((layers.upper_path() + "/a").c_str(), 300'000) == 0);
    CHECK(layers.scan().empty());
  }

  TEST_CASE("the list of an upper tells what each entry is") {
    const Layers layers{{},
                        {{"a b", file("1")},
                         {"d/x", link("t")},
                         {"o", opaque()},
                         {"o/y", whiteout()},
                         {"w", file("").with("user.overlay.whiteout", "y")}}};
    std::string text;
    for (const overlay::UpperEntry& entry : overlay::list_upper(layers.upper())) {
      text += entry.path + ' ' + "PWMO"[static_cast<int>(entry.kind)] + '\n';
    }
    CHECK(text == "a b P\nd M\nd/x P\no O\no/y W\nw W\n");
  }
}
