// SPDX-License-Identifier: MIT
#include "base/hash.hpp"
#include "bases/tree/base_tree.hpp"
#include "bases/tree/base_tree_take.hpp"
#include "discard/gc.hpp"
#include "support/chance.hpp"
#include "support/process.hpp"
#include "support/session_fixture.hpp"
#include "support/trees.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

using shadow::EntryKind;
using shadow::bases::BaseTree;
using shadow::bases::decode_base_tree;
using shadow::bases::TreeAnswer;
using shadow::bases::TreeEntry;
using shadow::test::run;
using shadow::test::SessionFixture;

namespace {

BaseTree sample() {
  BaseTree tree;
  tree.left_out = 7;
  for (const char* path : {"-dash", "a b", "dir/new\nline", "dir/new\nline 2", "\xff"}) {
    TreeEntry entry;
    entry.path = path;
    entry.entry.kind = EntryKind::File;
    entry.entry.mode = 0640;
    entry.entry.size = 1U << 20U;
    entry.entry.ino = ~std::uint64_t{0};
    entry.entry.mtime_ns = -5;
    entry.entry.ctime_ns = 1'700'000'000'123'456'789;
    entry.git_id = "0123456789012345678901234567890123456789";
    tree.entries.push_back(entry);
  }
  tree.entries[1].entry.kind = EntryKind::Symlink;
  tree.entries[1].entry.target = "../x";
  tree.entries[2].git_id.clear();
  tree.entries[2].blob = "f0";
  tree.unknown = {"dir", "x y"};
  tree.directories = {{"a", 0755}, {"a/b", 02700}, {"c", 0}};
  return tree;
}

BaseTree take(const SessionFixture& fixture, const shadow::bases::BaseTreeLimits& limits = {}) {
  shadow::store::Blobs blobs{shadow::StateDir::open().path()};
  return shadow::bases::take_base_tree(fixture.root(), shadow::sys::now_ns(), blobs, limits);
}

}  // namespace

TEST_SUITE("bases/base_tree") {
  TEST_CASE("a tree is read as it was written") {
    const BaseTree tree = sample();
    const auto read = decode_base_tree(shadow::bases::encode(tree));
    REQUIRE(read);
    CHECK(read->left_out == 7);
    CHECK(read->unknown == tree.unknown);
    CHECK(read->mode_of_directory("a") == 0755);
    CHECK(read->mode_of_directory("a/b") == 02700);
    CHECK(read->mode_of_directory("c") == 0);
    CHECK(!read->mode_of_directory("b"));
    REQUIRE(read->entries.size() == tree.entries.size());
    for (const TreeEntry& entry : tree.entries) {
      const TreeEntry* found = read->find(entry.path);
      REQUIRE(found);
      CHECK(same_state(found->entry, entry.entry));
      CHECK(found->entry.kind == entry.entry.kind);
      CHECK(found->entry.target == entry.entry.target);
      CHECK(found->blob == entry.blob);
      CHECK(found->git_id == entry.git_id);
    }
    CHECK(read->find("dir") == nullptr);
    CHECK(read->find("zz") == nullptr);
    CHECK(shadow::bases::blobs_of(*read) == std::set<std::string>{"f0"});
    CHECK(decode_base_tree(shadow::bases::encode({}))->entries.empty());
  }

  TEST_CASE("what was cut short or changed is none, and a forged one does not crash the reader") {
    const std::string good = shadow::bases::encode(sample());
    for (std::size_t length = 0; length < good.size(); ++length) {
      CHECK_FALSE(decode_base_tree(std::string_view{good}.substr(0, length)));
    }
    shadow::test::Chance chance{shadow::test::first_seed()};
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
      std::string bad = good;
      bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ static_cast<char>(1U << (bit % 8)));
      CHECK_FALSE(decode_base_tree(bad));
    }
    for (int i = 0; i < 20'000; ++i) {
      std::string bad = good.substr(0, good.size() - 32);
      for (std::size_t n = 1 + chance.below(6); n > 0; --n) {
        bad[chance.below(bad.size())] = static_cast<char>(chance.below(256));
      }
      bad.resize(chance.one_in(3) ? chance.below(bad.size()) : bad.size());
      (void)decode_base_tree(bad + shadow::to_hex(shadow::hash_bytes(bad)));
    }
  }

  TEST_CASE("of a project without git the contents are kept, within the limits") {
    const SessionFixture fixture{
        {{"a b", "text"}, {"dir/\xff", "more"}, {"large", std::string(100, 'x')}}};
    REQUIRE(::symlink("nowhere", (fixture.root() + "/link").c_str()) == 0);
    REQUIRE(::mkfifo((fixture.root() + "/fifo").c_str(), S_IRWXU) == 0);
    const BaseTree whole = take(fixture);
    CHECK(whole.entries.size() == 4);
    CHECK(whole.left_out == 0);
    REQUIRE(whole.find("dir/\xff"));
    CHECK(whole.find("dir/\xff")->blob == shadow::to_hex(shadow::hash_bytes("more")));
    CHECK(whole.find("link")->entry.target == "nowhere");

    shadow::bases::BaseTreeLimits limits;
    limits.bytes_of_a_file = 50;
    CHECK(take(fixture, limits).left_out == 1);
    CHECK(take(fixture, limits).find("large")->blob.empty());
    limits.files = 1;
    CHECK(take(fixture, limits).find("a b"));
    CHECK(take(fixture, limits).left_out > 0);
    limits.names = 0;
    CHECK(take(fixture, limits).entries.empty());
  }

  TEST_CASE("what changed later than the base time is left out, as is what its directory holds") {
    const SessionFixture fixture{{{"old", "1"}, {"dir/old", "2"}}};
    const std::int64_t then = shadow::sys::coarse_now_ns();
    shadow::sys::wait_for_coarse_tick(then);
    fixture.write_real("new", "3");
    REQUIRE(::rename((fixture.root() + "/dir").c_str(), (fixture.root() + "/moved").c_str()) == 0);
    shadow::store::Blobs blobs{shadow::StateDir::open().path()};
    const BaseTree tree = shadow::bases::take_base_tree(fixture.root(), then, blobs);
    REQUIRE(tree.entries.size() == 1);
    CHECK(tree.entries[0].path == "old");
    CHECK(tree.answer_for("old") == TreeAnswer::Existed);
    for (const char* path : {"new", "moved", "moved/old", "moved/other", "sub/.git/index"}) {
      CHECK_MESSAGE(tree.answer_for(path) == TreeAnswer::Unknown, std::string{path});
    }
    for (const char* path : {"newer", "ne", "old/x", "other/x"}) {
      CHECK_MESSAGE(tree.answer_for(path) == TreeAnswer::Absent, std::string{path});
    }
  }

  TEST_CASE("a tree that was cut short knows what it has, and leaves the rest open") {
    const SessionFixture fixture{{{"a", "1"}, {"b", "2"}, {"d/e", "3"}}};
    shadow::bases::BaseTreeLimits limits;
    CHECK(take(fixture, limits).answer_for("x") == TreeAnswer::Absent);
    CHECK(take(fixture, limits).answer_for("d") == TreeAnswer::Unknown);  // a directory
    limits.names = 1;
    CHECK(take(fixture, limits).answer_for("x") == TreeAnswer::Unknown);
    limits.names = 100;
    limits.files = 0;
    const BaseTree without_contents = take(fixture, limits);
    CHECK(without_contents.answer_for("d/e") == TreeAnswer::Existed);
    CHECK(without_contents.answer_for("x") == TreeAnswer::Absent);
    limits.bare_names = 1;
    CHECK(take(fixture, limits).answer_for("x") == TreeAnswer::Unknown);
  }

  TEST_CASE("an edit that comes before the files are read is told from what git knows") {
    // Without git nothing is known of it, and nothing is guessed.
    const SessionFixture fixture{{{"f", "1"}, {"g", "2"}}};
    const std::int64_t then = shadow::sys::coarse_now_ns();
    shadow::sys::wait_for_coarse_tick(then);
    shadow::store::Blobs blobs{shadow::StateDir::open().path()};
    const BaseTree tree = shadow::bases::take_base_tree(fixture.root(), then, blobs, {},
                                                        [&] { fixture.write_real("f", "edited"); });
    CHECK(tree.answer_for("f") == TreeAnswer::Unknown);
    CHECK(tree.answer_for("g") == TreeAnswer::Existed);
  }

  TEST_CASE("a file that git has to read is known, too, before the others are read") {
    const SessionFixture fixture{{{"f", "1"}}};
    REQUIRE(run({"git", "init", "-q", "."}, fixture.root()).status == 0);
    REQUIRE(run({"git", "add", "."}, fixture.root()).status == 0);
    // As young as the index: git's Documentation/technical/racy-git.txt.
    REQUIRE(run({"touch", "-r", "f", ".git/index"}, fixture.root()).status == 0);
    const std::int64_t then = shadow::sys::now_ns();
    shadow::sys::wait_for_coarse_tick(then);
    shadow::store::Blobs blobs{shadow::StateDir::open().path()};
    const BaseTree tree = shadow::bases::take_base_tree(fixture.root(), then, blobs, {},
                                                        [&] { fixture.write_real("f", "edited"); });
    REQUIRE(tree.find("f") != nullptr);
    CHECK(shadow::sys::read_all(blobs.open(tree.find("f")->blob).get(), 10) == "1");
  }

  TEST_CASE("what is made before the files are read was not there, in a git project") {
    const SessionFixture fixture{{{"f", "1"}, {"d/f", "1"}, {"d/gone", "1"}, {"e/f", "1"}}};
    const auto pass_a_tick = [] { shadow::sys::wait_for_coarse_tick(shadow::sys::now_ns()); };
    pass_a_tick();
    REQUIRE(run({"git", "init", "-q", "."}, fixture.root()).status == 0);
    REQUIRE(run({"git", "add", "."}, fixture.root()).status == 0);
    fixture.write_real("d/untracked", "1");
    fixture.write_real("d/lost", "1");
    pass_a_tick();
    const std::int64_t then = shadow::sys::now_ns();
    shadow::sys::wait_for_coarse_tick(then);
    shadow::store::Blobs blobs{shadow::StateDir::open().path()};
    const BaseTree tree = shadow::bases::take_base_tree(fixture.root(), then, blobs, {}, [&] {
      for (const char* path : {"new", "d/new", "n/m/new", "f", "d/untracked"}) {
        fixture.write_real(path, "edited");
      }
      shadow::test::remove(fixture.root(), "d/gone");
      shadow::test::remove(fixture.root(), "d/lost");
      // Another directory in its place, with files as old.
      REQUIRE(std::rename((fixture.root() + "/e").c_str(), (fixture.root() + "/moved").c_str()) ==
              0);
      fixture.write_real("e/other", "edited");
    });
    for (const char* path : {"f", "d/f", "d/gone", "e/f"}) {
      CHECK_MESSAGE(tree.answer_for(path) == TreeAnswer::Existed, std::string{path});
    }
    for (const char* path : {"new", "d/new", "n/m/new", "n"}) {
      CHECK_MESSAGE(tree.answer_for(path) == TreeAnswer::Absent, std::string{path});
    }
    for (const char* path : {"d/untracked", "d/lost", "e/other"}) {
      CHECK_MESSAGE(tree.answer_for(path) == TreeAnswer::Unknown, std::string{path});
    }
    CHECK(tree.answer_for("moved/f") != TreeAnswer::Existed);
  }

  TEST_CASE("the tree of an older version is read; what it leaves out was not there") {
    const std::string old = std::string{"shadow base tree 1\nleft out 3\n"};
    const auto tree = decode_base_tree(old + shadow::to_hex(shadow::hash_bytes(old)));
    REQUIRE(tree);
    CHECK(tree->left_out == 3);
    CHECK(tree->answer_for("x") == TreeAnswer::Absent);
  }

  TEST_CASE("the contents of a tree are needed for as long as its session lives") {
    const SessionFixture fixture{{{"f", "text"}}};
    const auto session = fixture.open();
    const std::string bytes = shadow::bases::encode(take(fixture));
    shadow::sys::replace_file_at(session.dir.fd(), shadow::bases::kBaseTree, bytes,
                                 S_IRUSR | S_IWUSR);
    const std::string name = shadow::to_hex(shadow::hash_bytes("text"));
    CHECK(shadow::discard::needed_blobs(session.state, *session.db).count(name) == 1);
    shadow::store::delete_session(*session.db, session.row.id);
    CHECK(shadow::discard::needed_blobs(session.state, *session.db).count(name) == 0);
  }
}
