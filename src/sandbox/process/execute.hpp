// SPDX-License-Identifier: MIT
// Executing a command as a shell finds it.

#pragma once

#include <string>
#include <vector>

namespace shadow::sandbox {

// execve(2) of the first word, looked for in the PATH of the environment that it gets. Returns the
// errno when it cannot be executed; ENOENT when it is nowhere.
[[nodiscard]] int execute(const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment);

// 127 for what was not found, 126 for what cannot be executed, as shells have it.
[[nodiscard]] int status_of_failure(int error);

}  // namespace shadow::sandbox
