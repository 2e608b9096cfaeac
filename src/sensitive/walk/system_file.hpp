// SPDX-License-Identifier: MIT
// Files of the operating system.

#pragma once

#include <string>

namespace shadow::sensitive {

// True if an absolute path leads to a file of the system: one below /usr (or what used to lie
// beside it) that root owns and nobody else may write, as it is with all directories above it. A
// link to such a one, as every virtual environment of Python has, hands nothing out and nothing in.
[[nodiscard]] bool is_system_file(const std::string& path);

// True if it leads to such a file that is an interpreter of Python: to what venv(1) makes a link.
[[nodiscard]] bool is_system_python(const std::string& path);

}  // namespace shadow::sensitive
