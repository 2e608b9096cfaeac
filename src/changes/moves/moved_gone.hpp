// SPDX-License-Identifier: MIT
// Files that the session moved and the project deleted, or moved to another name itself: git's
// "rename/delete". The new name alone looks like something new, or like another text of what was
// there before, and would bring back what went.

#pragma once

#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"

#include <set>
#include <string>
#include <vector>

namespace shadow::changes {

// Makes conflicts of the files that were made from what the session deletes and the project has no
// more: at the paths of `deleted_by_both` (ChangeSet::gone), below them, in directories that the
// items delete or make anew, and in the places of links; also where the project has a directory or
// a link instead. A new file that was copied up, and that no deletion explains, may be any that
// both have no more: the project had deleted it first, and overlayfs leaves no whiteout then. One
// with something of the project's in its place may only be what a run is known to have had. What it
// was is known by its base and by the base tree, by its size and time where no text is kept; which
// file one became is what find_moves says, where it is not one that the session alone deletes.
// Returns the deletions that a conflict rests on. `items` are sorted by their paths.
[[nodiscard]] std::set<std::string> judge_moved_gone(
    const session::ReviewSession& session, const std::vector<std::string>& deleted_by_both,
    std::vector<ReviewItem>& items);

}  // namespace shadow::changes
