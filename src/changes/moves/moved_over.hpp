// SPDX-License-Identifier: MIT
// What the session moved to a place that is in conflict.

#pragma once

#include "shadow/review.hpp"

#include "changes/dependents/dependents.hpp"
#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::changes {

// Changes that take a text from its place, because the session has it at a path in conflict or
// below one: without that path the text would be nowhere in the project. Those are deleted files,
// and ones with another text by now that is not made from theirs. Throws StaleError when a file
// changes while it is read.
[[nodiscard]] Together moved_over_conflicts(const session::ReviewSession& session,
                                            const std::vector<ReviewItem>& items);

}  // namespace shadow::changes
