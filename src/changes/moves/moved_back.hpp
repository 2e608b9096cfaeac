// SPDX-License-Identifier: MIT
// Files that the user moved and the session moved back, or over what the user has put in their
// place.

#pragma once

#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::changes {

// What the session has at the old name is the base, so that it counts as no change (`behind`); but
// it deletes the new name (one of `items`), with which the content would go. Such a file becomes a
// conflict among the items: the project has nothing at the old name, or something else. Both lists
// are sorted by path and stay so.
void judge_moved_back(const session::ReviewSession& session, std::vector<ReviewItem>& items,
                      std::vector<ReviewItem>& behind);

}  // namespace shadow::changes
