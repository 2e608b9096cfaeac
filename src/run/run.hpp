// SPDX-License-Identifier: MIT
// Running a command in a session's view.

#pragma once

#include "shadow/session.hpp"

#include "run/plan_run.hpp"

namespace shadow::run {

// Runs the command in the session of project and agent, which is made if need be, and
// returns the exit status to pass on: the command's own, 128+N when signal N killed it, 124 after a
// time-out. Throws Error with ExitCode::NotExecutable or NotFound when the command could not be
// executed or found, and with NotStarted when isolation cannot be had; it was not started then.
[[nodiscard]] int run_in_session(const StateDir& state, const RunRequest& request,
                                 const NoteSink& warn);

}  // namespace shadow::run
