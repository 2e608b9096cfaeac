// SPDX-License-Identifier: MIT
#include "git/commits/index_edit.hpp"
#include "git/commits/object_copy.hpp"
#include "git/objects/modules_rules.hpp"
#include "git/objects/object_check.hpp"
#include "git/objects/tree_names.hpp"
#include "support/process.hpp"
#include "support/scratch.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

using shadow::test::make_dirs;
using shadow::test::Outcome;
using shadow::test::run;
using shadow::test::Scratch;
using shadow::test::write_file;
using namespace shadow::git;  // NOLINT(google-build-using-namespace): what is tested

namespace {

const std::string raw_id(20, '\x11');
const std::string hex_id(40, '1');

std::string row(const std::string& mode, const std::string& name) {
  return mode + " " + name + std::string(1, '\0') + raw_id;
}

std::string fault_of(git_object_t type, const std::string& bytes) {
  return check_object(type, bytes).fault;
}

std::string git(const std::vector<std::string>& words, const std::string& where) {
  std::vector<std::string> argv{"git", "-c", "user.name=A", "-c", "user.email=a@b.c"};
  argv.insert(argv.end(), words.begin(), words.end());
  const Outcome outcome = run(argv, where);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  return outcome.out.substr(0, outcome.out.find_last_not_of('\n') + 1);
}

}  // namespace

TEST_SUITE("git/object check") {
  TEST_CASE("names that some filesystem takes for .git are known") {
    for (const char* name :
         {".git", ".GIT", ".gIt", "git~1", "GIT~1", ".git ", ".git...", ".git. .", ".git:x",
          ".git::$INDEX_ALLOCATION", ".g\xe2\x80\x8cit", "\xef\xbb\xbf.git", ".git\xe2\x81\xaf"}) {
      CAPTURE(name);
      CHECK(is_dot_git(name));
    }
    for (const char* name : {"git", ".gitignore", ".gitmodules", ".git2", "a.git", "git~2",
                             "x:.git", ".g it", ". git", ""}) {
      CAPTURE(name);
      CHECK_FALSE(is_dot_git(name));
    }
  }

  TEST_CASE("a tree is taken as git writes it, with any name that git takes") {
    const std::string good = row("100644", "\xff\n \\x") + row("100755", "-a") +
                             row("40000", ".gitx") + row("160000", "sub");
    // Not in order yet.
    CHECK_FALSE(fault_of(GIT_OBJECT_TREE, good).empty());
    CHECK(fault_of(GIT_OBJECT_TREE, row("100755", "-a") + row("40000", ".gitx") +
                                        row("160000", "sub") + row("100644", "\xff\n \\x"))
              .empty());
    // A directory sorts as if a slash followed.
    CHECK(fault_of(GIT_OBJECT_TREE, row("100644", "a.c") + row("40000", "a")).empty());
    CHECK_FALSE(fault_of(GIT_OBJECT_TREE, row("40000", "a") + row("100644", "a.c")).empty());
    const Checked checked = check_object(
        GIT_OBJECT_TREE, row("120000", "l") + row("160000", "sub") + row("40000", "t"));
    REQUIRE(checked.links.size() == 2);
    CHECK(checked.links[0].type == GIT_OBJECT_BLOB);
    CHECK(checked.links[1].type == GIT_OBJECT_TREE);
  }

  TEST_CASE("a tree that git would not write is refused") {
    for (const std::string& bytes :
         {row("100644", ""), row("100644", "."), row("40000", ".."), row("40000", ".git"),
          row("100644", "a/b"), row("100644", "x\\.git"), row("100666", "a"), row("0100644", "a"),
          row("100644", "a") + row("100644", "a"), row("100644", "a") + row("40000", "a"),
          row("120000", ".gitmodules"), std::string{"100644 a"}, std::string{"100644 a\0short", 14},
          "100644 a" + std::string(21, '\0'), std::string{"garbage"}}) {
      CAPTURE(bytes);
      CHECK_FALSE(fault_of(GIT_OBJECT_TREE, bytes).empty());
    }
  }

  TEST_CASE("headers of commits and tags are held to their form") {
    const std::string who = "A U <a@b> 1700000000 +0100\n";
    const std::string good = "tree " + hex_id + "\nparent " + hex_id + "\nauthor " + who +
                             "committer " + who + "gpgsig x\n y\n\nmessage\n";
    const Checked checked = check_object(GIT_OBJECT_COMMIT, good);
    CHECK(checked.fault.empty());
    CHECK(checked.links.size() == 2);
    for (const char* form :
         {"", "tree {0}\n\n", "tree x\nauthor {1}committer {1}\n", "tree {0}\nauthor {1}\n",
          "tree {0}\nauthor A a@b 1 +0000\ncommitter {1}\nm",
          "tree {0}\nauthor A <a@b> 01 +0000\ncommitter {1}\nm",
          "tree {0}\nauthor A <a@b> 1\ncommitter {1}\nm",
          "tree {0}\nauthor {1}committer {1}no end"}) {
      const std::string bytes = fmt::format(fmt::runtime(form), hex_id, who);
      CAPTURE(bytes);
      CHECK_FALSE(fault_of(GIT_OBJECT_COMMIT, bytes).empty());
    }
    const std::string tag = "object " + hex_id + "\ntype commit\ntag v1\ntagger " + who + "\nm\n";
    CHECK(fault_of(GIT_OBJECT_TAG, tag).empty());
    CHECK_FALSE(
        fault_of(GIT_OBJECT_TAG, "object " + hex_id + "\ntype x\ntag v\ntagger " + who).empty());
  }

  TEST_CASE("a .gitmodules with options for names or addresses is refused") {
    CHECK(check_modules("[submodule \"a\"]\n\tpath = a\n\turl = ../a.git\n") == nullptr);
    CHECK(check_modules("[submodule \"../../x\"]\n\turl = x\n") != nullptr);
    CHECK(check_modules("[submodule \"a\"]\n\turl = -u./x\n") != nullptr);
    CHECK(check_modules("[submodule \"a\"]\n\tpath=\"--x\"\n") != nullptr);
    CHECK(check_modules("[submodule \"a\"]\n\turl = \\\n-u./x\n") != nullptr);
    CHECK(check_modules("[submodule \".\\./x\"]\n\turl = x\n") != nullptr);
    CHECK(check_modules("[submodule \"a=b\"] url = -x\n") != nullptr);
    CHECK(check_modules("[submodule \"a\"]\n\tupdate = !touch x\n") != nullptr);
    CHECK(check_modules("[submodule \"a\"]\n\turl = https://x.org%0a/b\n") != nullptr);
    CHECK(check_modules("[submodule \"a\"]\n\turl = https:///b\n") != nullptr);
    CHECK(check_modules("[submodule \"a\"]\n\turl = ../../:x\n") != nullptr);
    CHECK(check_modules("[submodule \"a\"]\n\tupdate = rebase\n# url = -x\n") == nullptr);
    CHECK(check_modules("[submodule \"include\"]\n\turl = https://u@x.org:1/b # -x\n") == nullptr);
  }
}

TEST_SUITE("git/object copy") {
  TEST_CASE("what the real repository lacks is staged, each object after what it refers to") {
    const Scratch scratch;
    make_dirs(scratch / "real");
    make_dirs(scratch / "staging");
    git({"init", "-q", "-b", "main"}, scratch / "real");
    write_file(scratch / "real/a", "a\n");
    git({"add", "a"}, scratch / "real");
    git({"commit", "-qm", "one"}, scratch / "real");
    const std::string base = git({"rev-parse", "HEAD"}, scratch / "real");
    REQUIRE(run({"cp", "-a", "real", "view"}, scratch.path()).status == 0);
    make_dirs(scratch / "view/d");
    write_file(scratch / "view/d/new\nline", "x\n");
    git({"add", "-A"}, scratch / "view");
    git({"commit", "-qm", "two"}, scratch / "view");
    const std::string tip = git({"rev-parse", "HEAD"}, scratch / "view");
    const shadow::git::GitDirs dirs{{}, scratch / "view/.git/objects", scratch / "real/.git"};
    const StagedBranch staged = stage_branch(dirs, tip, base, scratch / "staging");
    CHECK(staged.fault.empty());
    CHECK(staged.fast_forward);
    REQUIRE(staged.objects.size() == 4);
    CHECK(staged.objects.back() == tip);
    REQUIRE(staged.differences.size() == 1);
    CHECK(staged.differences[0].path == "d/new\nline");
    CHECK(staged.differences[0].before_mode == 0);
    CHECK(staged.differences[0].after_mode == kFileMode);
    // Nothing of it is in the real repository yet.
    CHECK(real_objects(dirs, {base, tip}) == std::vector<std::string>{base});
    CHECK_FALSE(stage_branch(dirs, base, tip, scratch / "staging").fast_forward);
    CHECK_FALSE(stage_branch(dirs, std::string(40, 'e'), base, scratch / "staging").fault.empty());
  }

  TEST_CASE("an index follows where it has what the branch had, and says where it has not") {
    const Scratch scratch;
    make_dirs(scratch / "real");
    git({"init", "-q", "-b", "main"}, scratch / "real");
    write_file(scratch / "real/a", "a\n");
    write_file(scratch / "real/b", "b\n");
    git({"add", "-A"}, scratch / "real");
    const std::string a = git({"rev-parse", ":a"}, scratch / "real");
    const std::string b = git({"rev-parse", ":b"}, scratch / "real");
    const std::string index = scratch / "real/.git/index";
    const IndexEdit staged = edit_index(index, {{"a", kFileMode, b, kFileMode, a}}, {});
    CHECK(staged.ok());  // it is there already
    CHECK(edit_index(index, {{"a", kFileMode, b, kFileMode, b}}, {}).staged ==
          std::vector<std::string>{"a"});
    CHECK(edit_index(index, {{"b/x", 0, "", kFileMode, a}}, {}).staged ==
          std::vector<std::string>{"b/x"});
    const IndexEdit alone = edit_index(
        index, {{"a", kFileMode, b, kFileMode, b}, {"b", kFileMode, b, kExecutableMode, b}}, {},
        StagedEntries::StayAlone);
    CHECK(alone.written);
    CHECK(alone.staged == std::vector<std::string>{"a"});
    CHECK(git({"ls-files", "-s"}, scratch / "real") ==
          "100644 " + a + " 0\ta\n100755 " + b + " 0\tb");
    CHECK_FALSE(edit_index(index, {{"a", kFileMode, b, kFileMode, b}}, {}, StagedEntries::StayAlone)
                    .written);
    CHECK(edit_index(index,
                     {{"a", kFileMode, a, kExecutableMode, b}, {"b", kExecutableMode, b, 0, ""}},
                     {})
              .ok());
    CHECK(git({"ls-files", "-s"}, scratch / "real") == "100755 " + b + " 0\ta");
    write_file(index, "garbage");
    CHECK_FALSE(edit_index(index, {{"a", 0, "", kFileMode, a}}, {}).fault.empty());
  }
}
