// SPDX-License-Identifier: MIT
// Discarding while runs go on, through their view.

#pragma once

#include "live/view_edit.hpp"
#include "session/directory/review_session.hpp"

#include <string>
#include <vector>

namespace shadow::discard {

// Makes the view at the paths what the project has there, and takes new directories away of which
// nothing is left. Throws StaleError where a run writes them all the time.
void restore_in_view(live::ViewEdit& edit, const session::ReviewSession& session,
                     const std::vector<std::string>& paths);

// The bases of what was copied into the view; part of a transaction of the caller's. The copies say
// nothing, and go once the session is idle. False when the project changed since one was made: then
// it is to be made again, and nothing is to be committed.
[[nodiscard]] bool record_copies(const session::ReviewSession& session, const live::ViewEdit& edit);

}  // namespace shadow::discard
