// SPDX-License-Identifier: MIT
// The program `shadow-review`: what its process needs before a command, and the work that other
// processes start it for (session/directory/background.hpp), which is no command of the user's.

#pragma once

#include <string>
#include <vector>

namespace shadow::helpers {

// Takes the words after the program's name; returns the exit status.
[[nodiscard]] int run_program(const std::vector<std::string>& words);

}  // namespace shadow::helpers
