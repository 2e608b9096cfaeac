// SPDX-License-Identifier: MIT
// Checks that only the user and root can change a file.

#pragma once

#include <string>

namespace shadow::policy {

// Throws Error where another user owns or can write the configuration at `file`, or a directory on
// the way to it; its own directory is judged even where there is no such file yet. In a user
// namespace that does not map root, whose files those of nobody there are cannot be told: they pass
// where only root has any.
void check_nobody_else_writes(const std::string& file);

}  // namespace shadow::policy
