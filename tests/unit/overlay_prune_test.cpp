// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "overlay/write/lift.hpp"
#include "overlay/write/prune.hpp"
#include "support/layers.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

using namespace shadow::test;  // NOLINT(google-build-using-namespace): the words of tree literals
namespace overlay = shadow::overlay;
using overlay::From;

namespace {

// What is left in the upper: its paths with the letter of list_upper's kind.
std::string upper_of(const Layers& layers) {
  std::string text;
  for (const overlay::UpperEntry& entry : overlay::list_upper(layers.upper())) {
    text += entry.path + ' ' + "PWMO"[static_cast<int>(entry.kind)] + '\n';
  }
  return text;
}

void drop(const Layers& layers, const std::string& path) {
  overlay::drop(layers.upper(), layers.lower(), path);
}

void prune(const Layers& layers, const std::vector<std::string>& paths) {
  overlay::prune(layers.upper(), layers.lower(), paths);
}

}  // namespace

TEST_SUITE("overlay/prune") {
  TEST_CASE("dropping takes out the entry and the parents that said nothing else") {
    const Layers layers{{{"d/e/a", file("1")}, {"d/e/b", file("1")}},
                        {{"d/e/a", file("2")}, {"d/e/b", whiteout()}, {"new/x/y", file("3")}}};
    drop(layers, "d/e/a");
    CHECK(layers.scan() == "D d/e/b\nA new\nA new/x\nA new/x/y\n");
    drop(layers, "d/e/b");
    CHECK(layers.scan() == "A new\nA new/x\nA new/x/y\n");
    CHECK(upper_of(layers) == "new M\nnew/x M\nnew/x/y P\n");
    drop(layers, "new/x/y");
    CHECK(layers.scan() == "A new\nA new/x\n");
    drop(layers, "new");
    CHECK(upper_of(layers).empty());
  }

  TEST_CASE("dropping what is not there changes nothing") {
    const Layers layers{{{"d/a", file("1")}, {"w/b", file("1")}},
                        {{"d/c", file("2")}, {"w", whiteout()}, {"f", file("")}}};
    const std::string before = upper_of(layers);
    for (const char* path : {"d/a", "none", "d/none/x", "w/none", "w/none/x", "f/x"}) {
      drop(layers, path);
      CHECK(upper_of(layers) == before);
    }
    CHECK_THROWS_AS(drop(layers, ""), shadow::Error);
    CHECK_THROWS_AS(drop(layers, "../x"), shadow::Error);
    CHECK_THROWS_AS(drop(layers, "/etc"), shadow::Error);
  }

  TEST_CASE("dropping a path in a deleted tree brings back that path alone") {
    const Layers layers{{{"d/a", file("1")}, {"d/e/b", file("1")}, {"d/e/c", file("1")}},
                        {{"d", whiteout()}}};
    drop(layers, "d/e/b");
    CHECK(layers.scan() == "D d/a\nD d/e/c\n");
    CHECK(layers.view().where("d/e/b") == From::Lower);
    drop(layers, "d/a");
    CHECK(layers.scan() == "D d/e/c\n");
    drop(layers, "d/e/c");
    CHECK(upper_of(layers).empty());
  }

  TEST_CASE("a directory that comes back has the mode and attributes of the real one") {
    const Layers layers{
        {{"d/a", file("1")}, {"d/b", file("1")}, {"d", dir(0750).with("user.k", "v")}},
        {{"d", whiteout()}}};
    drop(layers, "d/a");
    CHECK(layers.scan() == "D d/b\n");
  }

  TEST_CASE("dropping below an opaque directory leaves the rest hidden") {
    const Layers layers{
        {{"o/a", file("1")}, {"o/b", file("1")}, {"o/s/x", file("1")}, {"o/t/u/v", file("1")}},
        {{"o", opaque()}, {"o/a", file("2")}, {"o/s/y", file("2")}}};
    REQUIRE(layers.scan() == "M o/a c\nD o/b\nD o/s/x\nA o/s/y\nD o/t\nD o/t/u\nD o/t/u/v\n");
    drop(layers, "o/a");
    CHECK(layers.scan() == "D o/b\nD o/s/x\nA o/s/y\nD o/t\nD o/t/u\nD o/t/u/v\n");
    drop(layers, "o/t/u/v");
    CHECK(layers.scan() == "D o/b\nD o/s/x\nA o/s/y\n");
    drop(layers, "o/s/y");
    CHECK(layers.scan() == "D o/b\nD o/s/x\n");
    drop(layers, "o");
    CHECK(upper_of(layers).empty());
  }

  TEST_CASE("a path below a file of the session cannot come back before the file goes") {
    const Layers layers{{{"d/a", file("1")}}, {{"d", file("2")}}};
    CHECK_THROWS_WITH_AS(drop(layers, "d/a"), doctest::Contains("'d' is a file"), shadow::Error);
    CHECK(layers.scan() == "T d\nD d/a\n");
    const Layers deeper{{{"d/e/f/g", file("1")}}, {{"d/e", link("/")}}};
    CHECK_THROWS_WITH_AS(drop(deeper, "d/e/f/g"), doctest::Contains("'d/e' is a symlink"),
                         shadow::Error);
  }

  TEST_CASE("dropping a type change brings the real type back") {
    const Layers layers{{{"d/a", file("1")}, {"f", file("1")}, {"l", link("x")}},
                        {{"d", link("/")}, {"f/x/y", file("1")}, {"l", fifo()}}};
    for (const char* path : {"d", "f", "l"}) {
      drop(layers, path);
    }
    CHECK(upper_of(layers).empty());
  }

  TEST_CASE("pruning takes out what is redundant and keeps what is a change") {
    const Layers layers{{{"d/same", file("1")},
                         {"d/other", file("1")},
                         {"e/x", file("1")},
                         {"l", link("t")},
                         {"p", fifo()},
                         {"k", dir()}},
                        {{"d/same", file("1")},
                         {"d/other", file("2")},
                         {"e/x", file("1")},
                         {"l", link("t")},
                         {"p", fifo()},
                         {"k", dir()},
                         {"none", whiteout()},
                         {"new", file("")},
                         {"newdir", dir()}}};
    prune(layers,
          {"new", "newdir", "none", "p", "l", "k", "e", "e/x", "d", "d/same", "d/other", "absent"});
    CHECK(upper_of(layers) == "d M\nd/other P\nnew P\nnewdir M\n");
  }

  TEST_CASE("pruning leaves alone what is not listed, but for parents that become empty") {
    const Layers layers{{{"a", file("1")}, {"d/e/b", file("1")}},
                        {{"a", file("1")}, {"d/e/b", file("1")}}};
    prune(layers, {"d/e/b"});
    CHECK(upper_of(layers) == "a P\n");
  }

  TEST_CASE("pruning below an opaque directory does not uncover the lower") {
    const Layers layers{{{"o/same", file("1")}, {"o/hidden", file("1")}, {"o/s/h", file("1")}},
                        {{"o", opaque()}, {"o/same", file("1")}, {"o/s", dir()}}};
    const std::string before = layers.scan();
    REQUIRE(before == "D o/hidden\nD o/s/h\n");
    prune(layers, {"o/same", "o/s"});
    CHECK(layers.scan() == before);
    CHECK(layers.view().where("o/same") == From::Lower);
    CHECK(layers.view().where("o/hidden") == From::Nowhere);
    CHECK(layers.view().where("o/s/h") == From::Nowhere);
  }

  TEST_CASE("of what the mark of a copied directory hid, only what was copied stays deleted") {
    const Layers layers{
        {{"p/d/a", file("1")},
         {"p/d/later", file("1")},
         {"p/d/s/x", file("1")},
         {"p/e", file("1")}},
        {{"p", opaque()}, {"p/d", opaque()}, {"p/d/own", file("2")}, {"p/d/s", dir()}}};
    CHECK(layers.scan() == "D p/d/a\nD p/d/later\nA p/d/own\nD p/d/s/x\nD p/e\n");
    overlay::lift_copy(layers.upper(), layers.lower(), "p/d",
                       [](const std::string& path) { return path == "p/d/a"; });
    CHECK(layers.scan() == "D p/d/a\nA p/d/own\nD p/d/s/x\nD p/e\n");
    CHECK(layers.view().where("p/d/later") == From::Lower);
  }

  TEST_CASE("what came later shows as soon as a directory above merges again") {
    const auto stays_hidden = [](const std::string& path) { return path.ends_with("old"); };
    const Tree tree{{"d/a", file("1")}, {"d/old", file("1")}, {"d/s/new", file("1")}};
    const Layers deleted{tree, {{"d", whiteout()}}};
    overlay::drop(deleted.upper(), deleted.lower(), "d/a", stays_hidden);
    CHECK(deleted.scan() == "D d/old\n");
    const Layers replaced{tree, {{"d", opaque()}, {"d/a", file("1")}}};
    overlay::prune(replaced.upper(), replaced.lower(), {"d/a"}, {}, stays_hidden);
    CHECK(replaced.scan() == "D d/old\n");
    CHECK(replaced.view().where("d/s/new") == From::Lower);
  }

  TEST_CASE("an opaque tree that became the lower again is taken out whole") {
    const Tree tree{{"o/a", file("1")}, {"o/s/b", file("1")}, {"o/s/t", dir()}};
    Tree upper = tree;
    upper["o"] = opaque();
    const Layers layers{tree, upper};
    prune(layers, {"o", "o/a", "o/s", "o/s/b", "o/s/t"});
    CHECK(upper_of(layers).empty());
  }

  TEST_CASE("names of one inode stay until all of them are redundant") {
    const Layers layers{{{"a", file("1")}, {"b", file("1")}},
                        {{"a", file("1")}, {"b", hard("a")}, {"c", hard("a")}}};
    prune(layers, {"a", "b", "c"});
    CHECK(upper_of(layers) == "a P\nb P\nc P\n");
    const Tree linked{{"d/a", file("1")}, {"b", hard("d/a")}};
    const Layers applied{linked, linked};
    prune(applied, {"b"});
    CHECK(upper_of(applied) == "b P\nd M\nd/a P\n");
    prune(applied, {"d/a", "b"});
    CHECK(upper_of(applied).empty());
  }

  TEST_CASE("a marked empty file hides, so it is not taken for an equal one") {
    const Layers layers{{{"a", file("")}}, {{"a", file("").with("user.overlay.whiteout", "")}}};
    prune(layers, {"a"});
    CHECK(layers.scan() == "D a\n");
  }

  TEST_CASE("directories keep their times and modes when names are taken out") {
    const Layers layers{{{"d/a", file("1")}, {"d/b", file("1")}, {"d", dir(0555)}},
                        {{"d/a", file("1")}, {"d/b", file("2")}, {"d", dir(0555)}}};
    const auto before = overlay::look_beneath(layers.upper(), "d");
    prune(layers, {"d/a"});
    CHECK(upper_of(layers) == "d M\nd/b P\n");
    const auto after = overlay::look_beneath(layers.upper(), "d");
    CHECK(after.mtime_ns == before.mtime_ns);
    CHECK(after.mode == 0555);
  }

  TEST_CASE("a mask hides a name that may appear later, and parents merge") {
    const Layers layers{{{"cfg/gh/token", file("s")}, {"cfg/other", file("o")}, {"cfg", dir(0700)}},
                        {}};
    for (const char* path : {"cfg/gh", ".ssh", "none/deep/secret", "cfg/gh/token", ".ssh/key"}) {
      overlay::mask(layers.upper(), layers.lower(), path);
    }
    CHECK(layers.view().where("cfg/gh") == From::Nowhere);
    CHECK(layers.view().where("cfg/other") == From::Lower);
    CHECK(layers.view().look("cfg").mode == 0700);
    CHECK(upper_of(layers) == ".ssh W\ncfg M\ncfg/gh W\nnone M\nnone/deep M\nnone/deep/secret W\n");
  }

  TEST_CASE("a mask leaves what is there, and symlinks of the real tree") {
    const Layers layers{{{"l", link("d")}, {"d/x", file("")}}, {{"kept", file("1")}}};
    overlay::mask(layers.upper(), layers.lower(), "kept");
    overlay::mask(layers.upper(), layers.lower(), "kept/below");
    overlay::mask(layers.upper(), layers.lower(), "l/x");
    CHECK(upper_of(layers) == "kept P\n");
  }

  TEST_CASE("masks in a read-only directory can be made one after the other") {
    const Layers layers{{{"ro/a", file("1")}, {"ro/b", file("1")}, {"ro", dir(0555)}}, {}};
    overlay::mask(layers.upper(), layers.lower(), "ro/a");
    overlay::mask(layers.upper(), layers.lower(), "ro/b");
    CHECK(layers.scan() == "D ro/a\nD ro/b\n");
  }
}
