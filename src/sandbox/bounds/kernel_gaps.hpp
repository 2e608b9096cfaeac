// SPDX-License-Identifier: MIT
// Gaps that stay open in a run because the kernel is too old to close them.

#pragma once

#include "policy/policy.hpp"

#include <string>
#include <vector>

namespace shadow::sandbox {

// Their names, in the words of the titles in shadow-security(7), where each is described. Empty on
// a kernel that has all that shadow makes use of.
[[nodiscard]] std::vector<std::string> kernel_gaps(int landlock_abi, policy::Network network);

}  // namespace shadow::sandbox
