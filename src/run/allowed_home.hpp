// SPDX-License-Identifier: MIT
// The home of --home=allow: the session's own, in which a run finds toolchains and who commits.

#pragma once

#include "sandbox/setup/plan.hpp"
#include "session/directory/session_dir.hpp"

namespace shadow::run {

// Of a plan with another home: nothing. Makes its layer, and in it a `.gitconfig` with the name and
// the address of the real home's, of which nothing else is taken; unless the session has one of its
// own.
void prepare_allowed_home(const session::SessionDir& session, const sandbox::SessionPlan& plan);

}  // namespace shadow::run
