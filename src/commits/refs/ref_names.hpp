// SPDX-License-Identifier: MIT
// Names that a new ref is not to have: git would take the word for something else, or something
// else for the word. Pure.

#pragma once

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

// Why the session's new branch or tag `ref` ("refs/heads/x") does not get its name, as the end of a
// sentence; empty when it does. `abbreviates`: it is the beginning of an object's id.
[[nodiscard]] std::string fault_of_new_ref(const std::string& ref, const KnownRefs& known,
                                           bool abbreviates);

}  // namespace shadow::commits
