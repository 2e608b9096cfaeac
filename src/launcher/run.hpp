// SPDX-License-Identifier: MIT
// `shadow run` and `shadow shell`.

#pragma once

#include "cli/parser/options.hpp"

namespace shadow::launcher {

// Both return the status to exit with: the command's own, or 128+N when signal N ended it.
int run_command(const cli::GlobalOptions& global, const cli::RunOptions& options);
int run_shell(const cli::GlobalOptions& global, const cli::ShellOptions& options);

}  // namespace shadow::launcher
