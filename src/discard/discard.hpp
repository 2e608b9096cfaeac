// SPDX-License-Identifier: MIT
// Throwing away changes, by path or by hunk.

#pragma once

#include "shadow/review.hpp"

#include "hunks/pick.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/review_session.hpp"
#include "session/selection/selection.hpp"

#include <string>
#include <vector>

namespace shadow::discard {

// The review that a discard of the selection needs: of globs all changes are looked at, since a
// directory goes only when nothing in it is left out. Throws as require_matches does.
[[nodiscard]] ReviewSet review_to_discard(const session::ReviewSession& session,
                                          const session::Selection& selection);

// The items that are selected.
[[nodiscard]] std::vector<ReviewItem> selected_of(const ReviewSet& set,
                                                  const session::Selection& selection);

// Makes the view at the selected paths what the project has there, of a live session through its
// mount. Throws Error (Refused) when a run has one of them open for writing.
void discard_paths(const session::ReviewSession& session, const std::vector<std::string>& paths,
                   session::LiveRuns live);

// Ends the session's live runs.
void end_runs(const session::ReviewSession& session);

// The offers of a review's items for discard_picked: everything except ignored files and entries of
// a git directory, unless they depend on another item.
[[nodiscard]] std::vector<hunks::Offer> discard_offers(const std::vector<ReviewItem>& items);

// Takes what was picked out of the session: a file of which a part was taken is the session's
// without that part afterwards. Nothing is written when one of the picks is not what was reviewed
// any more (StaleError), or open for writing in a live run (Error, Refused).
void discard_picked(const session::ReviewSession& session, const std::vector<hunks::Pick>& picks);

}  // namespace shadow::discard
