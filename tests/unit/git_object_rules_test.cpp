// SPDX-License-Identifier: MIT
// Each rule has an object that breaks it and no rule above it, and git calls it by the same name.
#include "git/objects/modules_rules.hpp"
#include "git/objects/object_check.hpp"
#include "git/objects/object_rules.hpp"
#include "support/process.hpp"
#include "support/scratch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using shadow::test::Outcome;
using shadow::test::run;
using shadow::test::Scratch;
using shadow::test::write_file;
using namespace shadow::git;  // NOLINT(google-build-using-namespace): what is tested

namespace {

const std::string hex_digits(40, '1');
const std::string null_digits(40, '0');
const std::string someone = "A U <a@b> 1700000000 +0100";

std::string entry(const std::string& mode, const std::string& name, char id = '\x11') {
  return mode + " " + name + std::string(1, '\0') + std::string(20, id);
}

std::string commit_by(const std::string& author) {
  return "tree " + hex_digits + "\nauthor " + author + "\ncommitter " + someone + "\n\nm\n";
}

std::string tag_of(const std::string& object, const std::string& rest) {
  return "object " + object + "\n" + rest;
}

struct Broken {
  std::string kind;  // of object, as git names it
  std::string bytes;
};

using Examples = std::map<std::string, std::vector<Broken>, std::less<>>;

Examples broken_trees() {
  return {
      {"badTree", {{"tree", "100644 a"}, {"tree", std::string{"100644 a\0short", 14}}}},
      {"zeroPaddedFilemode", {{"tree", entry("0100644", "a")}}},
      {"duplicateEntries",
       {{"tree", entry("100644", "a") + entry("100644", "a")},
        {"tree", entry("100644", "a") + entry("100644", "a.b") + entry("40000", "a")}}},
      {"treeNotSorted", {{"tree", entry("40000", "a") + entry("100644", "a.c")}}},
      {"emptyName", {{"tree", entry("100644", "")}}},
      {"hasDot", {{"tree", entry("40000", ".")}}},
      {"hasDotdot", {{"tree", entry("40000", "..")}}},
      {"fullPathname", {{"tree", entry("100644", "a/b")}}},
      {"hasDotgit", {{"tree", entry("40000", ".GIT")}, {"tree", entry("40000", "git~1")}}},
      {"badFilemode", {{"tree", entry("100666", "a")}}},
      {"nullSha1", {{"tree", entry("100644", "a", '\0')}}},
      {"gitmodulesSymlink", {{"tree", entry("120000", ".gitmodules")}}},
  };
}

Examples broken_commits() {
  const std::string tree = "tree " + hex_digits + "\n";
  const std::string author = "author " + someone + "\n";
  const std::string committer = "committer " + someone + "\n";
  return {
      {"missingTree", {{"commit", author + committer + "\nm\n"}}},
      {"badTreeSha1", {{"commit", "tree x\n" + author + committer + "\nm\n"}}},
      {"badParentSha1", {{"commit", tree + "parent x\n" + author + committer + "\nm\n"}}},
      {"missingAuthor", {{"commit", tree + committer + "\nm\n"}}},
      {"multipleAuthors", {{"commit", tree + author + author + committer + "\nm\n"}}},
      {"missingCommitter", {{"commit", tree + author + "\nm\n"}}},
      {"nulInHeader", {{"commit", tree + author + committer + std::string{"x \0y\n\nm\n", 8}}}},
      {"unterminatedHeader", {{"commit", tree + author + committer + "no end"}}},
      {"missingNameBeforeEmail", {{"commit", commit_by("<a@b> 1 +0000")}}},
      {"badName", {{"commit", commit_by("A> <a@b> 1 +0000")}}},
      {"missingEmail", {{"commit", commit_by("A a@b 1 +0000")}}},
      {"missingSpaceBeforeEmail", {{"commit", commit_by("A<a@b> 1 +0000")}}},
      {"badEmail", {{"commit", commit_by("A <a@<b> 1 +0000")}}},
      {"missingSpaceBeforeDate", {{"commit", commit_by("A <a@b>1 +0000")}}},
      {"zeroPaddedDate", {{"commit", commit_by("A <a@b> 01 +0000")}}},
      {"badDateOverflow", {{"commit", commit_by("A <a@b> 99999999999999999999 +0000")}}},
      {"badDate", {{"commit", commit_by("A <a@b> x +0000")}}},
      {"badTimezone", {{"commit", commit_by("A <a@b> 1 UTC")}}},
  };
}

Examples broken_tags() {
  const std::string tagger = "tagger " + someone + "\n\nm\n";
  return {
      {"missingObject", {{"tag", "type commit\ntag v\n" + tagger}}},
      {"badObjectSha1", {{"tag", tag_of("x", "type commit\ntag v\n" + tagger)}}},
      {"missingTypeEntry", {{"tag", tag_of(hex_digits, "tag v\n" + tagger)}}},
      {"badType", {{"tag", tag_of(hex_digits, "type x\ntag v\n" + tagger)}}},
      {"missingTagEntry", {{"tag", tag_of(hex_digits, "type commit\n" + tagger)}}},
      {"missingTaggerEntry", {{"tag", tag_of(hex_digits, "type commit\ntag v\n\nm\n")}}},
  };
}

// Texts of a `.gitmodules`.
Examples broken_modules() {
  return {
      {"gitmodulesParse", {{"blob", std::string{"[submodule \"a\"]\n\tpath = \0a\n", 25}}}},
      {"gitmodulesName", {{"blob", "[submodule \"../../x\"]\n\turl = x\n"}}},
      {"gitmodulesUrl", {{"blob", "[submodule \"a\"]\n\turl = -u./x\n"}}},
      {"gitmodulesPath", {{"blob", "[submodule \"a\"]\n\tpath = \"--x\"\n"}}},
      {"gitmodulesUpdate", {{"blob", "[submodule \"a\"]\n\tupdate = !touch x\n"}}},
  };
}

Examples examples() {
  Examples all = broken_trees();
  all.merge(broken_commits());
  all.merge(broken_tags());
  all.merge(broken_modules());
  return all;
}

template <class Subject>
void add_texts(std::vector<RuleText>& texts, std::span<const Rule<Subject>> rules) {
  for (const Rule<Subject>& rule : rules) {
    texts.push_back(rule.text);
  }
}

std::vector<RuleText> all_rules() {
  std::vector<RuleText> texts;
  add_texts(texts, tree_rules());
  add_texts(texts, tree_row_rules());
  add_texts(texts, commit_rules());
  add_texts(texts, tag_rules());
  add_texts(texts, identity_rules());
  add_texts(texts, modules_rules());
  add_texts(texts, module_setting_rules());
  return texts;
}

std::string rule_of(const Broken& object) {
  if (object.kind == "blob") {
    const RuleText* rule = check_modules(object.bytes);
    return rule != nullptr ? std::string{rule->name} : "";
  }
  const git_object_t type = git_object_string2type(object.kind.c_str());
  return std::string{check_object(type, object.bytes).rule};
}

// An object database with objects as they are, whatever they are.
class Written {
 public:
  Written() { git({"init", "-q"}); }

  std::string add(const Broken& object) {
    write_file(scratch_ / "object", object.bytes);
    std::string id = git({"hash-object", "-w", "--literally", "-t", object.kind, "object"}).out;
    return id.substr(0, id.find('\n'));
  }

  std::string add_modules(const Broken& text) {
    const std::string id = add(text);
    std::string raw;
    for (std::size_t i = 0; i + 1 < id.size(); i += 2) {
      raw += static_cast<char>(std::stoi(id.substr(i, 2), nullptr, 16));
    }
    add({"tree", "100644 .gitmodules" + std::string(1, '\0') + raw});
    return id;
  }

  // All that git finds, also what it only warns of.
  std::string judged() {
    const Outcome outcome = run({"git", "fsck", "--strict", "--no-dangling"}, scratch_.path());
    return outcome.out + outcome.err;
  }

 private:
  Outcome git(std::vector<std::string> words) {
    words.insert(words.begin(), "git");
    Outcome outcome = run(words, scratch_.path());
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
    return outcome;
  }

  Scratch scratch_;
};

}  // namespace

TEST_SUITE("git/object rules") {
  TEST_CASE("each rule refuses an object") {
    const Examples broken = examples();
    for (const RuleText& rule : all_rules()) {
      CAPTURE(rule.name);
      CHECK_FALSE(rule.fault.empty());
      const auto found = broken.find(rule.name);
      REQUIRE(found != broken.end());
      for (const Broken& object : found->second) {
        CHECK(rule_of(object) == rule.name);
      }
    }
  }

  // What git cannot even parse it refuses before its rules have a say.
  TEST_CASE("git refuses it too, by the same name where it can parse it") {
    Written written;
    std::multimap<std::string, std::string> names;
    for (const auto& [name, objects] : examples()) {
      for (const Broken& object : objects) {
        names.emplace(object.kind == "blob" ? written.add_modules(object) : written.add(object),
                      name);
      }
    }
    const std::string judged = written.judged();
    CAPTURE(judged);
    std::size_t by_name = 0;
    for (const auto& [id, name] : names) {
      CAPTURE(name);
      const auto says = [&, &id = id](const std::string& what) {
        return judged.find(id + ": " + what) != std::string::npos;
      };
      const bool named = says(name + ": ");
      by_name += named ? 1 : 0;
      const bool reads_on = name == "gitmodulesParse";  // git reads a NUL as any other byte
      CHECK((named || reads_on || says("object could not be parsed") || says("badTree: ")));
    }
    CHECK(by_name > names.size() / 2);
  }
}
