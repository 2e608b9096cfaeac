// SPDX-License-Identifier: MIT
// Running a command in a session's view.

#pragma once

#include "shadow/policy.hpp"
#include "shadow/session.hpp"

#include <string>
#include <vector>

namespace shadow {

struct RunRequest {
  Project project;
  std::string agent;
  bool by_default = false;        // nobody named one
  std::vector<std::string> argv;  // at least one word
  Policy policy;
};

// Replaces `--home=auto` by its result for a session that begins now, and reports why it is less
// than a view of the home. Tries it, in the state directory.
void settle_home(const StateDir& state, RunRequest& request, const NoteSink& warn);

// The missing paths of the policy that this session's layer of the home has by now.
[[nodiscard]] std::vector<std::string> made_in_session(const StateDir& state,
                                                       const RunRequest& request);

// Runs the command in the session of project and agent, which is made if need be, and
// returns the exit status to pass on: the command's own, 128+N when signal N killed it, 124 after a
// time-out. Throws Error with ExitCode::NotExecutable or NotFound when the command could not be
// executed or found, and with NotStarted when isolation cannot be had; it was not started then.
[[nodiscard]] int run_in_session(const StateDir& state, const RunRequest& request,
                                 const NoteSink& warn);

}  // namespace shadow
