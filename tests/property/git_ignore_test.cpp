// SPDX-License-Identifier: MIT
#include "base/text.hpp"
#include "git/index/git_files.hpp"
#include "git/patterns/ignore.hpp"
#include "support/chance.hpp"
#include "support/process.hpp"
#include "support/scratch.hpp"
#include "sys/files/beneath.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

using shadow::sys::join_path;
using shadow::test::Chance;
using shadow::test::first_seed;
using shadow::test::make_dirs;
using shadow::test::Outcome;
using shadow::test::rounds;
using shadow::test::run;
using shadow::test::Scratch;
using shadow::test::write_file;

namespace {

constexpr std::array kNames{"a",   "b",   "ab",  "abc",     "foo",       "a b",      "x ",
                            "#h",  "!n",  "[a]", "back\\s", "-dash",     "\xc3\xa4", "A",
                            "a.o", "b.o", "c",   "*",       "new\nline", ".hid",     "a-b"};
// Pieces that occur in real rules, and such as break matchers.
constexpr std::array kPieces{"a",     "b",    "c",        "ab",          "foo",
                             "*",     "*",    "**",       "/",           "/",
                             "?",     "[ab]", "[!a]",     "[^b]",        "[a-c]",
                             "\\*",   "\\",   " ",        "[[:alpha:]]", "[[:foo:]]",
                             "[",     "]",    "-",        ".o",          "#",
                             "!",     "\\ ",  "[]a]",     "[a",          "**/",
                             "/**/",  "/**",  "***",      "[a-",         "\t",
                             "[\\]]", "[-a]", "\xc3\xa4", "\\/",         "[[:space:]-z]",
                             "[/]",   "[[:",  "n"};

std::string random_rule(Chance& chance) {
  std::string rule = chance.one_in(5) ? "!" : "";
  if (chance.one_in(3)) {
    rule += chance.any(kNames);
  } else {
    for (std::size_t i = 1 + chance.below(5); i > 0; --i) {
      rule += chance.any(kPieces);
    }
  }
  if (chance.one_in(5)) {
    rule += '/';
  }
  if (chance.one_in(8)) {
    rule += "  ";
  }
  if (chance.one_in(12)) {
    rule += '\r';
  }
  return rule;
}

std::string random_rules(Chance& chance) {
  std::string text = chance.one_in(10) ? "\xef\xbb\xbf" : "";
  for (std::size_t i = 1 + chance.below(5); i > 0; --i) {
    text += random_rule(chance) + '\n';
  }
  if (chance.one_in(4)) {
    text.pop_back();
  }
  return text;
}

struct World {
  std::set<std::string> directories{""};
  std::set<std::string> files;
};

World random_world(Chance& chance) {
  World world;
  for (std::size_t i = 0; i < 8; ++i) {
    auto above = world.directories.begin();
    std::advance(above, static_cast<std::ptrdiff_t>(chance.below(world.directories.size())));
    world.directories.insert(join_path(*above, chance.any(kNames)));
  }
  for (std::size_t i = 0; i < 20; ++i) {
    auto above = world.directories.begin();
    std::advance(above, static_cast<std::ptrdiff_t>(chance.below(world.directories.size())));
    const std::string path = join_path(*above, chance.any(kNames));
    if (world.directories.count(path) == 0) {
      world.files.insert(path);
    }
  }
  return world;
}

// The rules of one world, by where git reads them.
struct Rules {
  std::map<std::string, std::string> ignore_files;  // by path
  std::string exclude;
  std::string global;

  [[nodiscard]] std::string text() const {
    std::string text = shadow::quoted(exclude) + " " + shadow::quoted(global);
    for (const auto& [path, lines] : ignore_files) {
      text += "; " + shadow::quoted(path) + ": " + shadow::quoted(lines);
    }
    return text;
  }
};

Rules random_rules_of(Chance& chance, const World& world) {
  Rules rules;
  for (const std::string& directory : world.directories) {
    if (directory.empty() || chance.one_in(2)) {
      rules.ignore_files[join_path(directory, ".gitignore")] = random_rules(chance);
    }
  }
  rules.exclude = random_rules(chance);
  rules.global = random_rules(chance);
  return rules;
}

// Makes the world as a repository with some of its files tracked; the paths in it.
std::vector<std::string> make_world(Chance& chance, const World& world, const Rules& rules,
                                    const Scratch& scratch) {
  const std::string root = scratch / "w";
  make_dirs(root);
  REQUIRE(run({"git", "init", "-q"}, root).status == 0);
  std::vector<std::string> paths;
  for (const std::string& directory : world.directories) {
    make_dirs(join_path(root, directory));
    if (!directory.empty()) {
      paths.push_back(directory);
    }
  }
  for (const auto& [path, lines] : rules.ignore_files) {
    write_file(join_path(root, path), lines);
  }
  for (const std::string& file : world.files) {
    write_file(join_path(root, file), "x");
    paths.push_back(file);
    if (chance.one_in(8)) {
      REQUIRE(run({"git", "--literal-pathspecs", "add", "-f", "--", file}, root).status == 0);
    }
  }
  make_dirs(root + "/.git/info");
  write_file(root + "/.git/info/exclude", rules.exclude);
  make_dirs(scratch / "home");
  write_file(scratch / "home/.gitconfig", "[core]\n\texcludesFile = ~/rules\n");
  write_file(scratch / "home/rules", rules.global);
  return paths;
}

std::set<std::string> ignored_by_git(const std::vector<std::string>& paths, bool with_index,
                                     const Scratch& scratch) {
  std::vector<std::string> argv{"git", "check-ignore", "-z", "--stdin"};
  if (!with_index) {
    argv.emplace_back("--no-index");
  }
  const Outcome git =
      run(argv, scratch / "w", shadow::join(paths, std::string{"\0", 1}) + '\0', scratch / "home");
  CAPTURE(git.err);
  REQUIRE(git.status < 2);
  std::set<std::string> ignored;
  for (const std::string& path : shadow::split(git.out, '\0')) {
    ignored.insert(path);
  }
  ignored.erase("");
  return ignored;
}

void compare(const std::vector<std::string>& paths, bool with_index, const World& world,
             const Rules& rules, const Scratch& scratch) {
  const std::set<std::string> expected = ignored_by_git(paths, with_index, scratch);
  shadow::git::IgnoreRules own{
      [&rules](const std::string& path) -> std::optional<std::string> {
        const auto found = rules.ignore_files.find(path);
        return found == rules.ignore_files.end() ? std::nullopt : std::optional{found->second};
      },
      {rules.global, rules.exclude},
      [&] {
        return with_index ? shadow::git::tracked_paths(scratch / "w/.git/index")
                          : std::vector<std::string>{};
      }};
  for (const std::string& path : paths) {
    CAPTURE(shadow::quoted(path));
    CAPTURE(rules.text());
    CHECK(own.ignored(path, world.directories.count(path) > 0) == (expected.count(path) > 0));
  }
}

void try_world(Chance& chance) {
  const World world = random_world(chance);
  const Rules rules = random_rules_of(chance, world);
  const Scratch scratch;
  std::vector<std::string> paths = make_world(chance, world, rules, scratch);
  CHECK(shadow::git::user_excludes(scratch / "home") == rules.global);
  compare(paths, false, world, rules, scratch);
  // With an index, git takes the paths for patterns.
  std::erase_if(paths, [](const std::string& path) {
    return path.find_first_of("*?[\\") != std::string::npos;
  });
  if (!paths.empty()) {
    compare(paths, true, world, rules, scratch);
  }
}

}  // namespace

TEST_SUITE("property/git_ignore") {
  TEST_CASE("paths are ignored as git check-ignore says") {
    for (std::uint64_t seed = first_seed(), end = seed + rounds(60); seed < end; ++seed) {
      CAPTURE(seed);
      Chance chance{seed};
      try_world(chance);
    }
  }

  TEST_CASE("the index's paths are read as git ls-files lists them, in all versions and split") {
    for (std::uint64_t seed = first_seed(), end = seed + rounds(20); seed < end; ++seed) {
      CAPTURE(seed);
      Chance chance{seed};
      const World world = random_world(chance);
      const Scratch scratch;
      REQUIRE(run({"git", "init", "-q", chance.one_in(4) ? "--object-format=sha256" : "-q", "."},
                  scratch.path())
                  .status == 0);
      std::vector<std::string> expected;
      for (const std::string& file : world.files) {
        const std::string full = scratch / file;
        make_dirs(full.substr(0, full.rfind('/')));
        write_file(full, "x");
        expected.push_back(file);
      }
      const std::string version = chance.any(std::array{"2", "3", "4"});
      REQUIRE(run({"git", "update-index", "--index-version", version}, scratch.path()).status == 0);
      REQUIRE(run({"git", "add", "-A", "-f"}, scratch.path()).status == 0);
      if (chance.one_in(2)) {
        REQUIRE(run({"git", "add", "-N", "."}, scratch.path()).status == 0);
      }
      if (chance.one_in(3)) {
        REQUIRE(run({"git", "update-index", "--split-index"}, scratch.path()).status == 0);
        write_file(scratch / "zz", "later");
        expected.emplace_back("zz");
        REQUIRE(run({"git", "add", "-f", "zz"}, scratch.path()).status == 0);
      }
      std::sort(expected.begin(), expected.end());
      CHECK(shadow::git::tracked_paths(scratch / ".git/index") == expected);
    }
  }
}
