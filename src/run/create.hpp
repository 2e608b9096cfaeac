// SPDX-License-Identifier: MIT
// The birth of a session.

#pragma once

#include "shadow/session.hpp"

#include "sandbox/setup/plan.hpp"
#include "session/directory/session_dir.hpp"

namespace shadow::run {

// Makes the session's layers, masks and database row, in constant time whatever the project's size;
// the file `root` last, so that a killed creation is simply done again. With `lock` held.
session::SessionFacts create_session(const StateDir& state, const session::SessionDir& session,
                                     const SessionKey& key, const sandbox::SessionPlan& plan,
                                     int project);

// Makes the layer of an outside git directory, which may turn up later than the session.
void ensure_git_layer(const session::SessionDir& session, const sandbox::SessionPlan& plan);

}  // namespace shadow::run
