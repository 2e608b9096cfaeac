// SPDX-License-Identifier: MIT
// Executing a command as a shell finds it.

#pragma once

#include "shadow/error.hpp"

#include "sandbox/setup/plan.hpp"

#include <string>
#include <vector>

namespace shadow::sandbox {

// execve(2) of the first word, looked for in the PATH of the environment that it gets. Returns the
// errno when it cannot be executed; ENOENT when it is nowhere.
[[nodiscard]] int execute(const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment);

// NotFound for what was not found, NotExecutable for what cannot be executed, as shells have it.
[[nodiscard]] ExitCode status_of_failure(int error);

// What to tell the caller of a command that could not be executed.
[[nodiscard]] Error failure_to_execute(const std::string& command, int error,
                                       const std::string& hint = {});

// A hint for a command that was not found, although the host has it in a place of which a run has
// its own: a temporary directory or the home. "" for any other.
[[nodiscard]] std::string advice_on_missing(const std::string& command, int error,
                                            const RunPlan& run, const SessionPlan& session);

}  // namespace shadow::sandbox
