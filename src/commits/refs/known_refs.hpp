// SPDX-License-Identifier: MIT
// The names that a repository has, with which a new one is compared.

#pragma once

#include "git/repository/git_refs.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace shadow::commits {

// The existing refs, with which a new name is compared: of the project, and those planned before.
class KnownRefs {
 public:
  // A full name: "refs/heads/main".
  void add(const std::string& ref);
  void add_remote(std::string name) { remotes_.insert(std::move(name)); }

  // Another ref that git would take for `ref`, or that reads as it; empty when there is none.
  [[nodiscard]] std::string read_alike(const std::string& ref) const;
  [[nodiscard]] bool has_remote(const std::string& name) const { return remotes_.contains(name); }

 private:
  std::map<std::string, std::set<std::string>> refs_;  // by each word that leads to them
  std::set<std::string> remotes_;                      // "origin"
};

// Those of the real repository. `common` is the directory with its configuration, which names the
// remotes.
[[nodiscard]] KnownRefs known_refs(const git::Refs& real, const std::string& common);

}  // namespace shadow::commits
