// SPDX-License-Identifier: MIT
// What `shadow status` tells, as data.

#pragma once

#include "shadow/review.hpp"
#include "shadow/status.hpp"

#include "changes/patch_files.hpp"
#include "session/directory/review_session.hpp"
#include "session/selection/selection.hpp"

#include <string>
#include <vector>

namespace shadow::status {

[[nodiscard]] StatusReport make_status(const session::ReviewSession& session,
                                       const session::Selection& selection);

// What is told of a review line by line: what an apply would take, with the two names of a rename
// resolved as one file. With Include what git ignores is among it, path by path.
[[nodiscard]] std::vector<ReviewItem> items_to_tell(const session::ReviewSession& session,
                                                    ReviewSet set, changes::IgnoredItems ignored);

}  // namespace shadow::status
