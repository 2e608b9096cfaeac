// SPDX-License-Identifier: MIT
// The steps of changes that both sides made.

#pragma once

#include "shadow/apply.hpp"

#include "apply/choice.hpp"
#include "changes/merger.hpp"

#include <set>
#include <string>

namespace shadow {

// Puts the merges of the taken changes into the plan that was made of them. Of what turns out not
// to be text, for markers, the step goes and the item becomes a conflict. Returns the paths that
// will not have the session's version.
[[nodiscard]] std::set<std::string> put_merges(const ReviewSession& session, OnConflict how,
                                               ChosenChanges& chosen, ApplyPlan& plan);

}  // namespace shadow
