// SPDX-License-Identifier: MIT
// The home of --home=allow: the session's own, in which a run finds toolchains and who commits.

#pragma once

#include "sandbox/setup/plan.hpp"
#include "session/directory/session_dir.hpp"

namespace shadow::run {

// For a plan with --home=allow, creates its layer with a `.gitconfig` that has only the name and
// the address of the real one, unless the session has its own.
void prepare_allowed_home(const session::SessionDir& session, const sandbox::SessionPlan& plan);

}  // namespace shadow::run
