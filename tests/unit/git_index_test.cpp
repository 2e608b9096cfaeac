// SPDX-License-Identifier: MIT
// The reader of git's index against indexes that git made, whole and damaged.
#include "git/index/git_index.hpp"

#include "base/text.hpp"
#include "git/index/git_files.hpp"
#include "support/chance.hpp"
#include "support/process.hpp"
#include "support/scratch.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

using shadow::git::IndexEntry;
using shadow::git::parse_index_entries;
using shadow::git::read_index_file;
using shadow::test::Chance;
using shadow::test::first_seed;
using shadow::test::make_dirs;
using shadow::test::read_file;
using shadow::test::run;
using shadow::test::Scratch;
using shadow::test::write_file;

namespace {

void git(const Scratch& scratch, std::vector<std::string> words) {
  words.insert(words.begin(), "git");
  const auto done = run(words, scratch.path());
  INFO(done.err);
  REQUIRE(done.status == 0);
}

std::string facts_of(const IndexEntry& entry) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::string id;
  for (const char c : entry.id) {
    id += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return fmt::format("{:06o} {} {} ctime {}:{} mtime {}:{} ino {} size {}{}", entry.mode, id,
                     entry.stage, entry.ctime_ns / kSecond, entry.ctime_ns % kSecond,
                     entry.mtime_ns / kSecond, entry.mtime_ns % kSecond, entry.ino, entry.size,
                     entry.unwatched ? " unwatched" : "");
}

std::string word_after(const std::string& text, const std::string& label) {
  const std::size_t begin = text.find(label) + label.size();
  return text.substr(begin, text.find_first_of("\t\n", begin) - begin);
}

// What git itself says; `-z` ends only the first line of an entry with NUL.
std::map<std::string, std::string> told_by_git(const Scratch& scratch) {
  const std::string out =
      run({"git", "ls-files", "--stage", "--debug", "--sparse", "-z"}, scratch.path()).out;
  std::map<std::string, std::string> facts;
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t tab = out.find('\t', at);
    const std::size_t nul = out.find('\0', tab);
    const std::size_t end = out.find('\n', out.find("flags: ", nul)) + 1;
    const std::string debug = out.substr(nul, end - nul);
    const unsigned long flags = std::stoul(word_after(debug, "flags: "), nullptr, 16);
    constexpr unsigned long kUnwatched = 0x8000UL | (1UL << 29U) | (1UL << 30U);
    const std::string stage = out.substr(tab - 1, 1);
    facts[out.substr(tab + 1, nul - tab - 1) + stage] = fmt::format(
        "{} ctime {} mtime {} ino {} size {}{}", out.substr(at, tab - at),
        word_after(debug, "ctime: "), word_after(debug, "mtime: "), word_after(debug, "ino: "),
        word_after(debug, "size: "), (flags & kUnwatched) != 0 ? " unwatched" : "");
    at = end;
  }
  return facts;
}

std::map<std::string, std::string> read_by_us(const Scratch& scratch) {
  const auto file = read_index_file(scratch / ".git/index");
  REQUIRE(file);
  std::map<std::string, std::string> facts;
  std::string before;
  for (const IndexEntry& entry : file->entries) {
    CHECK(before <= entry.path);
    before = entry.path;
    facts[entry.path + std::to_string(entry.stage)] = facts_of(entry);
  }
  return facts;
}

void write_some(const Scratch& scratch, Chance& chance) {
  for (int i = 0; i < 40; ++i) {
    const std::string folder = chance.one_in(2) ? "" : fmt::format("dir {}/", chance.below(4));
    make_dirs(scratch / folder);
    write_file(scratch / fmt::format("{}f{}\n\xff", folder, chance.below(90)),
               fmt::format("{}", chance.below(1000)));
  }
}

}  // namespace

TEST_SUITE("git/index entries") {
  TEST_CASE("every entry is what git says of it, in every form of an index") {
    Chance chance{first_seed()};
    for (int round = 0; round < 12; ++round) {
      const Scratch scratch;
      git(scratch, {"init", "-q", "."});
      const std::string version = chance.any(std::vector<std::string>{"2", "3", "4"});
      git(scratch, {"update-index", "--index-version", version});
      write_some(scratch, chance);
      git(scratch, {"add", "-A"});
      if (chance.one_in(2)) {
        git(scratch, {"update-index", "--split-index"});
      }
      for (int step = 0; step < 4; ++step) {
        write_some(scratch, chance);
        const auto known = read_by_us(scratch);
        const std::string some = known.begin()->first.substr(0, known.begin()->first.size() - 1);
        switch (chance.below(5)) {
          case 0:
            git(scratch, {"rm", "-q", "-f", "--cached", "--sparse", "--", some});
            break;
          case 1:
            git(scratch, {"update-index", "--assume-unchanged", "--", some});
            break;
          case 2:
            git(scratch, {"update-index", "--skip-worktree", "--", some});
            break;
          case 3:
            git(scratch, {"add", "-N", "--sparse", "."});
            break;
          default:
            git(scratch, {"add", "-A", "--sparse"});
        }
        CHECK(read_by_us(scratch) == told_by_git(scratch));
      }
    }
  }

  TEST_CASE("unmerged entries have their stages, and a sparse index its directories") {
    const Scratch scratch;
    git(scratch, {"init", "-q", "-b", "main", "."});
    git(scratch, {"config", "user.email", "t@example.org"});
    git(scratch, {"config", "user.name", "T"});
    make_dirs(scratch / "out/deep");
    write_file(scratch / "out/deep/x", "x");
    write_file(scratch / "f", "1\n");
    git(scratch, {"add", "-A"});
    git(scratch, {"commit", "-qm", "1"});
    git(scratch, {"checkout", "-qb", "side"});
    write_file(scratch / "f", "side\n");
    git(scratch, {"commit", "-qam", "2"});
    git(scratch, {"checkout", "-q", "main"});
    write_file(scratch / "f", "main\n");
    git(scratch, {"commit", "-qam", "3"});
    git(scratch, {"sparse-checkout", "set", "--cone", "--sparse-index"});
    CHECK(read_by_us(scratch).count("out/0") == 1);
    CHECK(read_by_us(scratch) == told_by_git(scratch));
    CHECK(run({"git", "merge", "side"}, scratch.path()).status != 0);
    CHECK(read_by_us(scratch).count("f2") == 1);
    CHECK(read_by_us(scratch) == told_by_git(scratch));
  }

  TEST_CASE("an index cut short at any length is none, and damage never makes the reader crash") {
    const Scratch scratch;
    git(scratch, {"init", "-q", "."});
    for (const char* name : {"a", "ab", "abc", "dir/x", "dir/y"}) {
      make_dirs(scratch / "dir");
      write_file(scratch / name, name);
    }
    git(scratch, {"add", "."});
    Chance chance{first_seed()};
    for (const char* form : {"2", "4", "split"}) {
      if (std::string_view{form} == "split") {
        git(scratch, {"update-index", "--split-index"});
        git(scratch, {"rm", "-q", "--cached", "ab"});
        write_file(scratch / "a", "changed");
        write_file(scratch / "new", "n");
        git(scratch, {"add", "a", "new"});
      } else {
        git(scratch, {"update-index", "--index-version", form});
      }
      const std::string good = read_file(scratch / ".git/index");
      REQUIRE(parse_index_entries(good));
      for (std::size_t length = 0; length < good.size(); ++length) {
        const auto cut = parse_index_entries(std::string_view{good}.substr(0, length));
        // Without an extension at its end it is a shorter whole.
        CHECK((!cut || cut->entries.size() <= parse_index_entries(good)->entries.size()));
      }
      for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
        std::string bad = good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ static_cast<char>(1U << (bit % 8)));
        (void)parse_index_entries(bad);
      }
      for (int i = 0; i < 5'000; ++i) {
        std::string bad = good;
        for (std::size_t n = 1 + chance.below(4); n > 0; --n) {
          bad[chance.below(bad.size())] = static_cast<char>(chance.below(256));
        }
        bad.resize(chance.one_in(3) ? chance.below(bad.size()) : bad.size());
        write_file(scratch / ".git/index", bad);
        (void)read_index_file(scratch / ".git/index");
      }
      write_file(scratch / ".git/index", good);
    }
  }

  TEST_CASE("of the links alone it gives the names, in every form of an index") {
    for (const char* form : {"2", "3", "4", "split"}) {
      const Scratch scratch;
      git(scratch, {"init", "-q", "."});
      make_dirs(scratch / "dir");
      write_file(scratch / "dir/file", "x");
      REQUIRE(run({"sh", "-c", "ln -s file dir/link; ln -s /nowhere out; ln -s . 'a b'"},
                  scratch.path())
                  .status == 0);
      git(scratch, {"add", "."});
      if (std::string_view{form} == "split") {
        git(scratch, {"update-index", "--split-index"});
        REQUIRE(run({"ln", "-s", "x", "later"}, scratch.path()).status == 0);
        git(scratch, {"add", "later"});
      } else {
        git(scratch, {"update-index", "--index-version", form});
      }
      std::vector<std::string> links = shadow::git::links_in_index(scratch / ".git/index");
      std::erase(links, "later");
      CHECK(links == std::vector<std::string>{"a b", "dir/link", "out"});
    }
    CHECK(shadow::git::links_in_index("/nowhere/index").empty());
  }

  TEST_CASE("a split index without its other half is none") {
    const Scratch scratch;
    git(scratch, {"init", "-q", "."});
    write_file(scratch / "a", "a");
    git(scratch, {"add", "a"});
    git(scratch, {"update-index", "--split-index"});
    const auto split = parse_index_entries(read_file(scratch / ".git/index"));
    REQUIRE(split);
    const std::string shared = scratch / ".git/sharedindex." + split->shared_id;
    REQUIRE(read_index_file(scratch / ".git/index"));
    write_file(shared, "DIRC");
    CHECK_FALSE(read_index_file(scratch / ".git/index"));
    REQUIRE(run({"rm", shared}, scratch.path()).status == 0);
    CHECK_FALSE(read_index_file(scratch / ".git/index"));
    REQUIRE(run({"mkfifo", shared}, scratch.path()).status == 0);
    CHECK_FALSE(read_index_file(scratch / ".git/index"));
  }

  TEST_CASE("a bitmap that says more than there is makes no entries") {
    shadow::git::IndexEntries split;
    split.replaced = {7};
    split.entries.resize(1);
    CHECK_FALSE(shadow::git::join_split_index(split, std::vector<IndexEntry>(3)));
    split.replaced.clear();
    CHECK_FALSE(shadow::git::join_split_index(split, std::vector<IndexEntry>(3)));
    split.entries.clear();
    split.deleted = {3};
    CHECK_FALSE(shadow::git::join_split_index(split, std::vector<IndexEntry>(3)));
    // One run of ones over four thousand million bits.
    std::string link(20, 'x');
    link += std::string{"\xff\xff\xff\xff\0\0\0\1", 8} + std::string(8, '\xff') +
            std::string(4, '\0') + std::string(12, '\0');
    const std::string bytes = "DIRC" + std::string{"\0\0\0\2\0\0\0\0", 8} + "link" +
                              std::string{"\0\0\0", 3} + static_cast<char>(link.size()) + link +
                              std::string(20, '\0');
    CHECK_FALSE(parse_index_entries(bytes));
  }
}
