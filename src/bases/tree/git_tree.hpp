// SPDX-License-Identifier: MIT
// What git's index says of the files of a work tree, without a file being read.

#pragma once

#include "bases/tree/base_tree.hpp"
#include "git/index/git_index.hpp"
#include "git/patterns/git_filters.hpp"
#include "git/patterns/ignore.hpp"
#include "session/project/git_dir.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::bases {

// The tracked files that git knows to be unchanged, by path; and the paths of those that it would
// have to read to know: they are as young as the index (git's
// Documentation/technical/racy-git.txt).
struct TrackedFiles {
  std::map<std::string, TreeEntry> clean;
  std::vector<std::string> racy;
};

class GitTree {
 public:
  // Borrows the project's directory.
  GitTree(int root, const session::RealGitDir& git);

  // The rules read through it.
  GitTree(const GitTree&) = delete;
  GitTree(GitTree&&) = delete;
  GitTree& operator=(const GitTree&) = delete;
  GitTree& operator=(GitTree&&) = delete;
  ~GitTree() = default;

  [[nodiscard]] const git::IndexEntry* find(std::string_view path) const;

  // True if the path is a sub-module.
  [[nodiscard]] bool is_submodule(std::string_view path) const;

  // The directories of tracked files, "" among them.
  [[nodiscard]] std::set<std::string> directories() const;

  // By one look at each: no file except .gitattributes is read.
  [[nodiscard]] TrackedFiles tracked_files(std::int64_t not_after_ns);

  // Tracked files that are not there.
  [[nodiscard]] std::vector<std::string> missing_files() const;

  [[nodiscard]] bool ignores(const std::string& path, bool directory) {
    return rules_->ignored(path, directory);
  }

 private:
  void enter(const std::string& directory);
  void enter_below(const std::string& from, const std::string& directory);
  [[nodiscard]] std::string object_of(const std::string& path, const git::IndexEntry& entry);
  [[nodiscard]] std::optional<std::string> text_at(const std::string& path) const;

  int root_;
  git::IndexFile index_;
  std::optional<git::IgnoreRules> rules_;
  git::FilterRules filters_;
};

}  // namespace shadow::bases
