// SPDX-License-Identifier: MIT
// Renames that the other side edited under the old name.

#pragma once

#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "changes/merger.hpp"
#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::changes {

// The two sides of a file that the session renamed: the project has it under the old name.
[[nodiscard]] TwoSides sides_of_rename(const Change& from, const Change& to);

// Pairs a deleted path whose real file drifted with the path that it became, by what find_moves
// says, and resolves the two as one file; also one whose real file is the base again, where the
// session moved something later (Merger::base_of). Where the project has something of its own at
// the new name as well, that is in conflict.
void pair_renames(const session::ReviewSession& session, std::vector<ReviewItem>& items);

}  // namespace shadow::changes
