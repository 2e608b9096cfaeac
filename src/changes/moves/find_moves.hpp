// SPDX-License-Identifier: MIT
// Which file that went became which of the session's: a new one, or one whose name had
// something before.

#pragma once

#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "review/renames.hpp"
#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::changes {

using Targets = std::vector<ReviewItem*>;

// For find_renames: larger files are no texts.
[[nodiscard]] PatchOptions options_of_moves();

// True for a file where the project has something else, which no conflict keeps from being written:
// the session may have moved another file over that.
[[nodiscard]] bool may_be_moved_over(const ReviewItem& item);

// Pairs the sources (of which all go) with the targets, by what find_renames says: `from` and `to`
// are indices of these. What was there before at a name goes before a source that is no more like
// the target: then that was edited, or written anew.
[[nodiscard]] std::vector<review::Rename> find_moves(const session::ReviewSession& session,
                                                     std::vector<PatchFile> sources,
                                                     const Targets& targets);

}  // namespace shadow::changes
