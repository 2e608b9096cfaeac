// SPDX-License-Identifier: MIT
// The new half of what may be a move.

#pragma once

#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"

namespace shadow::changes {

// A new file of the session's, as one side of a patch.
[[nodiscard]] PatchFile added_side(const session::ReviewSession& session, const ReviewItem& item);

}  // namespace shadow::changes
