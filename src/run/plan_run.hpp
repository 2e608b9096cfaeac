// SPDX-License-Identifier: MIT
// From a request and its policy to the plans that the sandbox carries out. Looks at names on disk,
// changes nothing.

#pragma once

#include "shadow/session.hpp"

#include "policy/policy.hpp"
#include "sandbox/setup/plan.hpp"
#include "session/directory/session_dir.hpp"

#include <string>
#include <vector>

namespace shadow::run {

struct RunRequest {
  Project project;
  std::string agent;
  bool by_default = false;        // nobody named one
  std::vector<std::string> argv;  // at least one word
  policy::Policy policy;
};

// Replaces `--home=auto` by its result for a session that begins now, and reports why it is less
// than a view of the home. Tries it, in the state directory.
void settle_home(const StateDir& state, RunRequest& request, const NoteSink& warn);

// The missing paths of the policy that this session's layer of the home has by now.
[[nodiscard]] std::vector<std::string> made_in_session(const StateDir& state,
                                                       const RunRequest& request);

[[nodiscard]] sandbox::SessionPlan plan_session(const StateDir& state,
                                                const session::SessionDir& session,
                                                const RunRequest& request,
                                                const sys::Identity& identity);

[[nodiscard]] sandbox::RunPlan plan_run(const session::SessionDir& session,
                                        const RunRequest& request);

}  // namespace shadow::run
