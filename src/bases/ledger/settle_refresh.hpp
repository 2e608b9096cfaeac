// SPDX-License-Identifier: MIT
// The end of a refresh, also of one that was interrupted: what it had done gets its bases.

#pragma once

#include "session/directory/review_session.hpp"

namespace shadow::bases {

// Writes down the bases of what a refresh that was interrupted had done. Needs the session's lock.
void settle_refresh(const session::ReviewSession& session);

// Settles a refresh that was interrupted, when nobody works on the session.
void settle_old_refresh(const session::ReviewSession& session);

}  // namespace shadow::bases
