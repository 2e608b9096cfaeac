// SPDX-License-Identifier: MIT
// Matches path arguments with a session's changes.

#pragma once

#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"
#include "session/selection/selection.hpp"

#include <string>
#include <vector>

namespace shadow::changes {

// Throws Error (No) that names the arguments which select none of the session's changes. `set` has
// at least what is selected.
void require_matches(const session::ReviewSession& session, const session::Selection& selection,
                     const ReviewSet& set);

// The same error for other things than changes: "no change" is what there is none of, `candidates`
// are paths that could have been meant.
[[noreturn]] void refuse_unmatched(const Project& project, const std::string& what,
                                   const std::vector<const session::Pathspec*>& unmatched,
                                   const std::vector<std::string>& candidates);

// The paths that a discard of the selection drops with all below them: a directory only when
// nothing in it is left out. `set` has all changes of the session, not the selected ones alone.
[[nodiscard]] std::vector<std::string> paths_to_drop(const session::Selection& selection,
                                                     const ReviewSet& set);

}  // namespace shadow::changes
