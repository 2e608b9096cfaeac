// SPDX-License-Identifier: MIT
// Returns the changes of an undo to a session without waiting for it to be idle.

#pragma once

#include "session/directory/review_session.hpp"

#include <cstddef>

namespace shadow::upkeep {

// Puts what is parked (bases/ledger/parked.hpp) into the layer, of a live session through its view,
// but for paths at which the session has written meanwhile. Returns how many paths it has now; what
// cannot be put there now waits for the next command.
std::size_t give_back_now(const session::ReviewSession& session);

}  // namespace shadow::upkeep
