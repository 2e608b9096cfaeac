// SPDX-License-Identifier: MIT
// Repositories that the session made, as an apply of files brings them: with the history that was
// judged, and without settings that make git run something.

#pragma once

#include "shadow/commits.hpp"
#include "shadow/review.hpp"
#include "shadow/steps.hpp"

#include "apply/choice/choice.hpp"
#include "commits/plan/new_history.hpp"
#include "session/directory/review_session.hpp"

#include <map>
#include <string>
#include <vector>

namespace shadow::apply {

// The repositories that the session made, as far as they are selected.
[[nodiscard]] std::vector<NewHistory> new_histories(const session::ReviewSession& session,
                                                    const ReviewSet& set,
                                                    const ApplyChoice& choice);

// The paths of histories that stay in the session, each with its reason.
[[nodiscard]] std::map<std::string, std::string> held_by_history(
    const std::vector<NewHistory>& histories);

// Where a run writes meanwhile, what was judged is what is written. Throws StaleError.
void pin_histories(const std::vector<NewHistory>& histories, ApplyPlan& plan);

// The config of a new repository can name programs that git runs.
void reduce_git_configs(const session::ReviewSession& session, const ApplyChoice& choice,
                        ApplyPlan& plan);

}  // namespace shadow::apply
