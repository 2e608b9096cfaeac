// SPDX-License-Identifier: MIT
// From a request and its policy to the plans that the sandbox carries out. Looks at names on disk,
// changes nothing.

#pragma once

#include "shadow/run.hpp"

#include "sandbox/setup/plan.hpp"
#include "session/directory/session_dir.hpp"

namespace shadow::run {

[[nodiscard]] sandbox::SessionPlan plan_session(const StateDir& state,
                                                const session::SessionDir& session,
                                                const RunRequest& request,
                                                const sys::Identity& identity);

[[nodiscard]] sandbox::RunPlan plan_run(const session::SessionDir& session,
                                        const RunRequest& request);

}  // namespace shadow::run
