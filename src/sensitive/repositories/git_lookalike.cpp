// SPDX-License-Identifier: MIT
#include "sensitive/repositories/git_lookalike.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace shadow::sensitive {

namespace {

// git's repository-layout(5). Sorted.
constexpr std::array<std::string_view, 24> kNames = {
    "branches",     "commondir",    "config",    "config.worktree",
    "fetch_head",   "gitdir",       "head",      "hooks",
    "index",        "info",         "logs",      "merge_head",
    "modules",      "objects",      "orig_head", "packed-refs",
    "rebase-apply", "rebase-merge", "refs",      "reftable",
    "remotes",      "sequencer",    "shallow",   "worktrees",
};

}  // namespace

bool is_name_in_git_dir(std::string_view name) {
  constexpr std::size_t kLongest = 15;
  return name.size() <= kLongest &&
         std::binary_search(kNames.begin(), kNames.end(), std::string_view{lower_ascii(name)});
}

void GitMarks::add(std::string_view name) {
  const std::string lower = lower_ascii(name);
  head = head || lower == "head";
  objects = objects || lower == "objects";
  refs = refs || lower == "refs";
  common = common || lower == "commondir";
}

void GitMarks::add(const GitMarks& other) {
  head = head || other.head;
  objects = objects || other.objects;
  refs = refs || other.refs;
  common = common || other.common;
}

void add_marks(MarksByDirectory& marks, std::string_view path) {
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    GitMarks found;
    found.add(path.substr(begin, end - begin));
    if (found.any()) {
      marks[std::string{path.substr(0, begin == 0 ? 0 : begin - 1)}].add(found);
    }
    begin = end + 1;
  }
}

std::optional<std::string> GitLookalikes::around(std::string_view path) {
  std::size_t start = 0;
  while (start < path.size()) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    if (is_name_in_git_dir(path.substr(start, end - start))) {
      const std::string_view directory = path.substr(0, start == 0 ? 0 : start - 1);
      if (is_git_dir(std::string{directory})) {
        return std::string{directory};
      }
    }
    start = end + 1;
  }
  return std::nullopt;
}

bool GitLookalikes::is_git_dir(const std::string& directory) {
  const auto [known, fresh] = known_.try_emplace(directory, false);
  if (fresh) {
    known->second = look_(directory).make_git_dir();
  }
  return known->second;
}

GitMarks look_for_marks(const std::string& directory, const HasEntry& has) {
  GitMarks marks;
  for (const char* name : {"HEAD", "commondir", "objects", "refs"}) {
    if (has(sys::join_path(directory, name))) {
      marks.add(name);
    }
  }
  return marks;
}

bool is_named_head(std::string_view path) {
  return lower_ascii(sys::split_path(path).name) == "head";
}

bool is_text_of_head(std::string_view text) {
  constexpr std::string_view kSymbolic = "ref:";
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  constexpr std::size_t kShortestId = 40;  // of SHA-1; what follows is not asked
  if (text.starts_with(kSymbolic)) {
    const std::size_t name = text.find_first_not_of(kBlanks, kSymbolic.size());
    return name != std::string_view::npos && text.substr(name).starts_with("refs/");
  }
  return text.size() >= kShortestId &&
         text.substr(0, kShortestId).find_first_not_of("0123456789abcdefABCDEF") ==
             std::string_view::npos;
}

}  // namespace shadow::sensitive
