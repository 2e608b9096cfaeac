// SPDX-License-Identifier: MIT
// Moves by which others may read more.

#pragma once

#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::changes {

// Says so of each file that was moved, also with edits, from where others could not read it to
// where they may: by its mode, or by those of the directories above.
void note_widened_moves(const session::ReviewSession& session, std::vector<ReviewItem>& items);

}  // namespace shadow::changes
