// SPDX-License-Identifier: MIT
// `shadow run` and `shadow shell`.

#pragma once

#include "cli/parser/options.hpp"

namespace shadow::cli {

// Both return the status to exit with: the command's own, or 128+N when signal N ended it.
int run_command(const GlobalOptions& global, const RunOptions& options);
int run_shell(const GlobalOptions& global, const ShellOptions& options);

}  // namespace shadow::cli
