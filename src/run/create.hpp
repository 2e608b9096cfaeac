// SPDX-License-Identifier: MIT
// The birth of a session, and the end of one that came to nothing.

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

// Drops a session whose first run could not be set up: `list` would show it, and others would be
// said to begin beside it. False, without a word, if it is in use, holds something or cannot be
// dropped: why the run could not be set up is what there is to say. With `lock` held.
bool drop_new_session(const StateDir& state, const session::SessionDir& session);

// Makes the layer of an outside git directory, which may turn up later than the session.
void ensure_git_layer(const session::SessionDir& session, const sandbox::SessionPlan& plan);

}  // namespace shadow::run
