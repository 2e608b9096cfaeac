// SPDX-License-Identifier: MIT
// The rules of git-fsck(1) as tables: by git's name for it, what an object must not be. A tree made
// by hand can name `.git` or lead out of the work tree as soon as somebody checks it out. libgit2
// has no such check.
//
// Left out are rules for what git reads safely, and for what harms nobody: sizes (largePathname,
// gitattributesLarge, ...), names of tags, and a NUL in a message.

#pragma once

#include "git/objects/tree_rows.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::git {

// git's own, without --strict. Here all refuse the object: nobody has to take what git only warns
// of.
enum class Severity : std::uint8_t { Fatal, Error, Warning, Info };

struct RuleText {
  std::string_view name;  // as in git's messages and its configuration: fsck.<name>
  Severity severity;
  std::string_view fault;  // the end of a sentence; "{}" stands for the name of the entry
};

template <class Subject>
struct Rule {
  RuleText text;
  bool (*broken)(const Subject& subject);
};

// The first rule that the subject breaks, or null.
template <class Subject>
[[nodiscard]] const RuleText* first_broken(std::span<const Rule<Subject>> rules,
                                           const Subject& subject) {
  for (const Rule<Subject>& rule : rules) {
    if (rule.broken(subject)) {
      return &rule.text;
    }
  }
  return nullptr;
}

// The header of a commit: its lines in git's order, each without its word. What is missing or out
// of order is not there.
struct CommitHeader {
  std::optional<std::string_view> tree;
  std::vector<std::string_view> parents;
  std::optional<std::string_view> author;
  bool second_author = false;
  std::optional<std::string_view> committer;
  std::string_view rest;  // other lines, the empty one, and the message
};

struct TagHeader {
  std::optional<std::string_view> object;
  std::optional<std::string_view> type;
  std::optional<std::string_view> tag;
  std::optional<std::string_view> tagger;
  std::string_view rest;
};

// "Name <address> seconds zone", as authors, committers and taggers are written.
using Identity = std::string_view;

[[nodiscard]] std::span<const Rule<TreeBytes>> tree_rules();
[[nodiscard]] std::span<const Rule<TreeRow>> tree_row_rules();
[[nodiscard]] std::span<const Rule<CommitHeader>> commit_rules();
[[nodiscard]] std::span<const Rule<TagHeader>> tag_rules();
[[nodiscard]] std::span<const Rule<Identity>> identity_rules();

}  // namespace shadow::git
