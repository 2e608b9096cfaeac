// SPDX-License-Identifier: MIT
// Directories of a session that were there for what was in them.

#pragma once

#include "live/view_edit.hpp"
#include "session/directory/review_session.hpp"

#include <set>
#include <string>

namespace shadow::refresh {

// Takes the directories above the paths out of the upper, where they are empty, the project has
// none any more, and the session has them as it found or applied them. With `edit` the session is
// live, and it is done through the view. True when there were any.
bool remove_emptied(const session::ReviewSession& session, live::ViewEdit* edit,
                    const std::set<std::string>& paths);

}  // namespace shadow::refresh
