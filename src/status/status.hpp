// SPDX-License-Identifier: MIT
// The report of `shadow status`, as data.

#pragma once

#include "shadow/review.hpp"
#include "shadow/status.hpp"

#include "changes/shown_items.hpp"
#include "session/directory/review_session.hpp"
#include "session/selection/selection.hpp"

#include <string>
#include <vector>

namespace shadow::status {

[[nodiscard]] StatusReport make_status(const session::ReviewSession& session,
                                       const session::Selection& selection);

// The items of a review to list line by line: those that an apply would take, with the two names of
// a rename resolved as one file. With Include ignored ones are among them, path by path.
[[nodiscard]] std::vector<ReviewItem> listed_items(const session::ReviewSession& session,
                                                   ReviewSet set, changes::IgnoredItems ignored);

}  // namespace shadow::status
