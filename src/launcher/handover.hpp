// SPDX-License-Identifier: MIT
// Review commands live in a second program, so that the one that runs commands need not load what
// they need.

#pragma once

#include <string>
#include <vector>

namespace shadow::launcher {

// Replaces this process by shadow-review with the same words. Throws Error when it cannot be found
// or started.
[[noreturn]] void hand_over(const std::vector<std::string>& words);

}  // namespace shadow::launcher
