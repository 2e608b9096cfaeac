// SPDX-License-Identifier: MIT
// Names that a new ref is not to have: git would take the word for something else, or something
// else for the word. Pure.

#pragma once

#include "commits/refs/known_refs.hpp"

#include <string>

namespace shadow::commits {

// Why the session's new branch or tag `ref` ("refs/heads/x") does not get its name, as the end of a
// sentence; empty when it does. `abbreviates`: it is the beginning of an object's id.
[[nodiscard]] std::string fault_of_new_ref(const std::string& ref, const KnownRefs& known,
                                           bool abbreviates);

}  // namespace shadow::commits
