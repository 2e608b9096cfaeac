// SPDX-License-Identifier: MIT
#include "git/index/git_files.hpp"
#include "git/index/git_index.hpp"
#include "git/patterns/ignore.hpp"
#include "support/chance.hpp"
#include "support/process.hpp"
#include "support/scratch.hpp"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>

using shadow::git::IgnoreRules;
using shadow::test::Chance;
using shadow::test::first_seed;
using shadow::test::make_dirs;
using shadow::test::read_file;
using shadow::test::run;
using shadow::test::Scratch;
using shadow::test::write_file;

namespace {

IgnoreRules rules_of(std::map<std::string, std::string> files,
                     std::vector<std::string> tracked = {}) {
  return IgnoreRules{
      [files = std::move(files)](const std::string& path) -> std::optional<std::string> {
        const auto found = files.find(path);
        return found == files.end() ? std::nullopt : std::optional{found->second};
      },
      {},
      [tracked = std::move(tracked)] { return tracked; }};
}

}  // namespace

TEST_SUITE("git/ignore") {
  TEST_CASE("an excluded directory excludes all below it, whatever is said there") {
    IgnoreRules rules =
        rules_of({{".gitignore", "build/\n!build/keep\n"}, {"build/.gitignore", "!*"}});
    CHECK(rules.ignored("build", true));
    CHECK(rules.ignored("build/keep", false));
    CHECK_FALSE(rules.ignored("build", false));
    CHECK(rules.ignored("a/build/x/y", false));
  }

  TEST_CASE("rules from above the paths that are asked about") {
    IgnoreRules rules{[](const std::string& path) -> std::optional<std::string> {
                        return path == ".gitignore" ? std::optional{"*.log\n/sub/made\n/made\n"}
                               : path == "sub/.gitignore" ? std::optional{"!keep.log\n"}
                                                          : std::nullopt;
                      },
                      {},
                      [] { return std::vector<std::string>{"sub/tracked.log"}; },
                      "sub/"};
    CHECK(rules.ignored("a.log", false));
    CHECK(rules.ignored("made", true));
    CHECK(rules.ignored("made/x", false));
    CHECK_FALSE(rules.ignored("keep.log", false));
    CHECK_FALSE(rules.ignored("tracked.log", false));
    CHECK_FALSE(rules.ignored("x/made", false));
  }

  TEST_CASE("tracked files and the directories above them are never ignored") {
    IgnoreRules rules = rules_of({{".gitignore", "*"}}, {"a/b", "a/b.c", "a/b/c"});
    CHECK_FALSE(rules.ignored("a", true));
    CHECK_FALSE(rules.ignored("a/b", true));
    CHECK_FALSE(rules.ignored("a/b/c", false));
    CHECK(rules.ignored("a/b/d", false));
  }

  TEST_CASE("what is tracked is asked for once, and only where a rule would ignore something") {
    int asked = 0;
    IgnoreRules rules{[](const std::string& path) -> std::optional<std::string> {
                        return path == ".gitignore" ? std::optional<std::string>{"*.o\n"}
                                                    : std::nullopt;
                      },
                      {},
                      [&asked] {
                        ++asked;
                        return std::vector<std::string>{"a/kept.o"};
                      }};
    CHECK_FALSE(rules.ignored("a/b.c", false));
    CHECK_FALSE(rules.ignored("a", true));
    CHECK(asked == 0);
    CHECK(rules.ignored("a/b.o", false));
    CHECK_FALSE(rules.ignored("a/kept.o", false));
    CHECK(asked == 1);
  }

  TEST_CASE("each .gitignore is asked for once") {
    int asked = 0;
    IgnoreRules rules{[&](const std::string&) -> std::optional<std::string> {
                        ++asked;
                        return "x\n";
                      },
                      {},
                      {}};
    for (int i = 0; i < 3; ++i) {
      CHECK(rules.ignored("a/b/x", false));
      CHECK_FALSE(rules.ignored("a/b/y", false));
    }
    CHECK(asked == 3);
  }

  TEST_CASE("a rule made to stop the matcher does not") {
    std::string rule;
    std::string path;
    for (int i = 0; i < 40; ++i) {
      rule += "**/a/";
    }
    for (int i = 0; i < 1500; ++i) {
      path += "a/";
    }
    IgnoreRules rules = rules_of({{".gitignore", rule + "b\n" + std::string(4000, '*') + "x[b]\n" +
                                                     "/**/*a*a*a*a*a*a*a*a*[b]\n"}});
    CHECK_FALSE(rules.ignored(path + std::string(200, 'a'), false));
  }

  TEST_CASE("a tree of any depth is walked") {
    IgnoreRules rules = rules_of({{".gitignore", "x"}});
    std::string path;
    for (int i = 0; i < 20'000; ++i) {
      path += "d/";
    }
    CHECK(rules.ignored(path + "x", false));
  }

  TEST_CASE("without configuration the user's rules are in the usual place") {
    const Scratch home;
    CHECK(shadow::git::user_excludes(home.path()).empty());
    make_dirs(home / ".config/git");
    write_file(home / ".config/git/ignore", "*.swp\n");
    CHECK(shadow::git::user_excludes(home.path()) == "*.swp\n");
    write_file(home / ".gitconfig", "[core]\n\texcludesFile = relative\n");
    CHECK(shadow::git::user_excludes(home.path()).empty());
    write_file(home / ".gitconfig", "[core\n");
    CHECK(shadow::git::user_excludes(home.path()) == "*.swp\n");
  }
}

TEST_SUITE("git/index") {
  TEST_CASE("what is no index has no paths") {
    CHECK(shadow::git::tracked_paths("/nonexistent").empty());
    CHECK_FALSE(shadow::git::parse_index("").has_value());
    CHECK_FALSE(shadow::git::parse_index("DIRC").has_value());
    std::string many = "DIRC" + std::string{"\0\0\0\2\xff\xff\xff\xff", 8} + std::string(20, '\0');
    CHECK_FALSE(shadow::git::parse_index(many).has_value());
  }

  TEST_CASE("no damage to an index makes its reader crash") {
    const Scratch scratch;
    REQUIRE(run({"git", "init", "-q", "."}, scratch.path()).status == 0);
    for (const char* name : {"a", "ab", "abc", "dir/x", "dir/y"}) {
      make_dirs(scratch / "dir");
      write_file(scratch / name, name);
    }
    REQUIRE(run({"git", "update-index", "--index-version", "4"}, scratch.path()).status == 0);
    REQUIRE(run({"git", "add", "."}, scratch.path()).status == 0);
    const std::string good = read_file(scratch / ".git/index");
    REQUIRE(shadow::git::parse_index(good)->names.size() == 5);
    Chance chance{first_seed()};
    for (int i = 0; i < 20'000; ++i) {
      std::string bad = good;
      for (std::size_t n = 1 + chance.below(4); n > 0; --n) {
        bad[chance.below(bad.size())] = static_cast<char>(chance.below(256));
      }
      bad.resize(chance.one_in(3) ? chance.below(bad.size()) : bad.size());
      const auto names = shadow::git::parse_index(bad);
      CHECK((!names || names->names.size() <= 5));
    }
  }
}
