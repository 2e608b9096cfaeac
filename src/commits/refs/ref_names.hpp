// SPDX-License-Identifier: MIT
// Names that a new ref is not to have: git would take the word for something else, or something
// else for the word. Pure.

#pragma once

#include <set>
#include <string>

namespace shadow::commits {

// The existing refs, with which a new name is compared.
struct KnownRefs {
  std::set<std::string> refs;     // full names, of the project and of refs planned before
  std::set<std::string> remotes;  // "origin"
};

// Why the session's new branch or tag `ref` ("refs/heads/x") does not get its name, as the end of a
// sentence; empty when it does. `abbreviates`: it is the beginning of an object's id.
[[nodiscard]] std::string fault_of_new_ref(const std::string& ref, const KnownRefs& known,
                                           bool abbreviates);

}  // namespace shadow::commits
