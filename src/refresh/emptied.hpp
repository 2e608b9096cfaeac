// SPDX-License-Identifier: MIT
// Directories of a session that were there for what was in them.

#pragma once

#include "live/view_edit.hpp"
#include "session/directory/review_session.hpp"

#include <set>
#include <string>

namespace shadow::refresh {

// Takes the directories at and above the paths out of the upper, where the project has none any
// more, the session has them as it found or applied them, and there is nothing in them but
// deletions that the project has, too. With `edit` the session is live, and it is done through the
// view. True when there were any.
bool remove_emptied(const session::ReviewSession& session, live::ViewEdit* edit,
                    const std::set<std::string>& paths);

}  // namespace shadow::refresh
