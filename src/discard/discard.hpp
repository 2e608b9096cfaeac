// SPDX-License-Identifier: MIT
// Throwing away changes, by path or by hunk.

#pragma once

#include "hunks/pick.hpp"
#include "session/idle.hpp"
#include "session/review_session.hpp"
#include "session/selection.hpp"

namespace shadow {

// Makes the view at the selected paths what the project has there. Not for a live session: its
// mount would go on showing what is gone. Throws Error (Refused).
void discard_paths(const ReviewSession& session, const std::vector<std::string>& paths,
                   LiveRuns live);

// Ends the session's live runs. Throws Error (Refused) when there are any and they are to live on.
void end_runs(const ReviewSession& session, LiveRuns live);

// What can be picked of a review's items for discard_picked: all but what git ignores and what lies
// in a git directory, unless it stands or falls with something else.
[[nodiscard]] std::vector<Offer> discard_offers(const std::vector<ReviewItem>& items);

// Takes what was picked out of the session: a file of which a part was taken is the session's
// without that part afterwards. Nothing is written when one of the picks is not what was reviewed
// any more (StaleError), or when the session is live (Error, Refused).
void discard_picked(const ReviewSession& session, const std::vector<Pick>& picks);

}  // namespace shadow
