// SPDX-License-Identifier: MIT
// The git directory of a session is brought up to the project: branches that have arrived, and the
// index.

#pragma once

#include "shadow/session.hpp"

#include "live/hold.hpp"
#include "session/directory/review_session.hpp"

#include <string>

namespace shadow::refresh {

// With the project's lock held as well. False when it is to be tried again: a git of the run's is
// at work. Throws Error.
[[nodiscard]] bool keep_up_git(const session::ReviewSession& session,
                               const live::HeldSession& held);

// The same for a live session, without waiting for anything: false also when another command works
// on it or on the project.
[[nodiscard]] bool keep_up_live_git(const StateDir& state, const std::string& session);

// The same for an idle session, whose locks the caller has.
void keep_up_idle_git(const StateDir& state, const std::string& session);

}  // namespace shadow::refresh
