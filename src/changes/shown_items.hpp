// SPDX-License-Identifier: MIT
// The changes that a review of files shows, as they go together.

#pragma once

#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"

#include <cstdint>
#include <vector>

namespace shadow::changes {

enum class IgnoredItems : std::uint8_t { LeaveOut, Include };

// Those that an apply would write, and with Include ignored ones; none in a git directory. Renames
// are paired, and what cannot be written because of a conflict says so (`depends_on`), as an apply
// with OnConflict::Skip finds it. Throws StaleError when files change while they are read.
[[nodiscard]] std::vector<ReviewItem> shown_items(const session::ReviewSession& session,
                                                  ReviewSet set, IgnoredItems ignored);

}  // namespace shadow::changes
