// SPDX-License-Identifier: MIT
// Files that the session moved and the project deleted, or moved to another name itself: git's
// "rename/delete". The new name alone looks like something new, and would bring back what went.

#pragma once

#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"

#include <set>
#include <string>
#include <vector>

namespace shadow::changes {

// Makes conflicts of the added files that were made from one of `gone`: paths that the session
// deletes and the project has no more (ChangeSet::gone). What they were is known by their bases and
// by the base tree; which new file one became is what find_renames says, where it is not one that
// the session alone deletes. Returns those of `gone` that a conflict rests on.
[[nodiscard]] std::set<std::string> judge_moved_gone(const session::ReviewSession& session,
                                                     const std::vector<std::string>& gone,
                                                     std::vector<ReviewItem>& items);

}  // namespace shadow::changes
