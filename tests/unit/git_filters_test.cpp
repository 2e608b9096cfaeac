// SPDX-License-Identifier: MIT
// What is read of a repository besides its index: attributes that convert files, and blobs.
#include "git/patterns/git_filters.hpp"

#include "git/objects/git_objects.hpp"
#include "support/process.hpp"
#include "support/scratch.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

using shadow::git::FilterRules;
using shadow::git::read_blobs;
using shadow::test::run;
using shadow::test::Scratch;
using shadow::test::write_file;

namespace {

FilterRules rules_of(const std::string& text, const std::string& directory = {}) {
  FilterRules rules;
  rules.add(directory, text);
  return rules;
}

}  // namespace

TEST_SUITE("git/filters") {
  TEST_CASE("only what a line names may be converted") {
    const FilterRules rules = rules_of(
        "# *.a filter=x\n\n*.txt text eol=crlf\n*.filter -diff\n*.bin filter=lfs diff=lfs -text\r\n"
        "\t/only/here working-tree-encoding=UTF-16\n*.c ident\n");
    CHECK(rules.may_convert("a.bin"));
    CHECK(rules.may_convert("deep/down/a.bin"));
    CHECK(rules.may_convert("only/here"));
    CHECK_FALSE(rules.may_convert("below/only/here"));
    CHECK(rules.may_convert("x.c"));
    CHECK_FALSE(rules.may_convert("a.a"));
    CHECK_FALSE(rules.may_convert("a.txt"));
    CHECK_FALSE(rules.may_convert("a.filter"));
  }

  TEST_CASE("a macro or a quoted pattern makes everything doubtful") {
    CHECK(rules_of("[attr]lfs filter=lfs\n").may_convert("x"));
    CHECK(rules_of("\"a\\142\" filter=lfs\n").may_convert("x"));
    CHECK_FALSE(rules_of("[attr]other -text\n").may_convert("x"));
  }

  TEST_CASE("rules hold in their directory and below, and are forgotten behind it") {
    FilterRules rules = rules_of("*.x filter=a\n", "d e");
    CHECK(rules.may_convert("d e/f.x"));
    CHECK_FALSE(rules.may_convert("d e.x"));
    CHECK_FALSE(rules.may_convert("f.x"));
    rules.add_unknown("d e/deep");
    CHECK(rules.may_convert("d e/deep/y"));
    rules.leave_for("d e/z");
    CHECK_FALSE(rules.may_convert("d e/deep/y"));
    CHECK(rules.may_convert("d e/z.x"));
    rules.leave_for("e");
    CHECK_FALSE(rules.may_convert("d e/f.x"));
  }
}

TEST_SUITE("git/filters") {
  TEST_CASE("a configuration that may name attributes makes everything doubtful") {
    const Scratch home;
    shadow::test::make_dirs(home / "git/info");
    const char* before = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): one thread
    const std::string old_home = before == nullptr ? "" : before;
    ::setenv("HOME", home.path().c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
    const auto doubtful = [&](const std::string& config, const std::string& more = {}) {
      write_file(home / ".gitconfig", config);
      write_file(home / "more", more);
      FilterRules rules;
      shadow::git::add_outside_rules(home / "git", home / "git", rules);
      return rules.may_convert("x");
    };
    CHECK_FALSE(doubtful("[user]\n\tname = T\n[mergetool \"m\"]\n\tpath = /no/where\n"));
    CHECK_FALSE(doubtful("[include]\n\tpath = more\n", "[user]\nname = T\n"));
    CHECK(doubtful("[core]\n\tAttributesFile = ~/a\n"));
    CHECK(doubtful("[Include] path = \"~/more\"\n", "[core]\nattributesfile = a\n"));
    CHECK(doubtful("[includeIf \"gitdir:~/x]/\"]\n\n path=more\n", "[core] attributesfile=a\n"));
    CHECK_FALSE(doubtful("[include]\n\tpath = more ; said so\n", "[user]\nname = T\n"));
    CHECK(doubtful("[include]\n\tpath = more\n", "[include]\n\tpath = more\n"));
    write_file(home / "git/info/attributes", "x filter=f\n");
    CHECK(doubtful(""));
    ::setenv("HOME", old_home.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  }
}

TEST_SUITE("git/objects") {
  TEST_CASE("blobs come loose and packed and from alternates, whole or not at all") {
    const Scratch scratch;
    const auto git = [&](std::vector<std::string> words) {
      words.insert(words.begin(), "git");
      const auto done = run(words, scratch.path());
      REQUIRE(done.status == 0);
      return done.out.substr(0, 40);
    };
    git({"init", "-q", "-b", "main", "."});
    git({"config", "user.email", "t@example.org"});
    git({"config", "user.name", "T"});
    const std::string text = std::string{"a\0b\n\xff", 5};
    write_file(scratch / "f", text);
    write_file(scratch / "empty", "");
    git({"add", "-A"});
    git({"commit", "-qm", "1"});
    const std::string id = git({"hash-object", "f"});
    const std::string empty = git({"hash-object", "empty"});
    const std::string commit = git({"rev-parse", "HEAD"});
    const std::string objects = scratch / ".git/objects";
    const std::vector<shadow::git::WantedBlob> wanted = {
        {id, 5}, {empty, 0}, {id, 6}, {commit, 5}, {std::string(40, '0'), 1}, {"nonsense", 1}};
    const auto check = [&](const std::string& where) {
      const auto texts = read_blobs(where, wanted);
      REQUIRE(texts.size() == wanted.size());
      CHECK(texts[0] == text);
      CHECK(texts[1] == "");
      for (std::size_t i = 2; i < texts.size(); ++i) {
        CHECK_FALSE(texts[i]);
      }
    };
    check(objects);
    git({"clone", "-q", "--shared", scratch.path(), "clone"});
    check(scratch / "clone/.git/objects");
    git({"gc", "-q", "--prune=now"});
    check(objects);
    CHECK_FALSE(read_blobs(scratch / "nowhere", {{id, 5}}).at(0));

    const auto found = run({"sh", "-c", "ls .git/objects/pack/*.pack"}, scratch.path()).out;
    const std::string pack = scratch / found.substr(0, found.size() - 1);
    std::string bytes = shadow::test::read_file(pack);
    REQUIRE(run({"chmod", "u+w", pack}, scratch.path()).status == 0);
    write_file(pack, bytes.substr(0, bytes.size() / 2));
    for (const auto& one : read_blobs(objects, wanted)) {
      CHECK((!one || *one == text || one->empty()));
    }
  }

  TEST_CASE("an object that is not what its name says is none") {
    const Scratch scratch;
    REQUIRE(run({"git", "init", "-q", "."}, scratch.path()).status == 0);
    write_file(scratch / "f", "right");
    write_file(scratch / "g", "wrong");
    const std::string right = run({"git", "hash-object", "-w", "f"}, scratch.path()).out;
    const std::string wrong = run({"git", "hash-object", "-w", "g"}, scratch.path()).out;
    const auto place = [&](const std::string& id) {
      return ".git/objects/" + id.substr(0, 2) + "/" + id.substr(2, 38);
    };
    REQUIRE(run({"cp", "-f", place(wrong), place(right)}, scratch.path()).status == 0);
    CHECK_FALSE(read_blobs(scratch / ".git/objects", {{right.substr(0, 40), 5}}).at(0));
  }
}
