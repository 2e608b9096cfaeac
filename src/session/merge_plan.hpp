// SPDX-License-Identifier: MIT
// The steps of changes that both sides made.

#pragma once

#include "shadow/apply.hpp"

#include "session/choice.hpp"
#include "session/merger.hpp"

#include <set>
#include <string>

namespace shadow {

// Pairs a deleted path whose real file drifted with the added one that it became, by what
// find_renames says, and resolves the two as one file.
void pair_renames(const ReviewSession& session, std::vector<ReviewItem>& items);

// Puts the merges of the taken changes into the plan that was made of them. Of what turns out not
// to be text, for markers, the step goes and the item becomes a conflict. Returns the paths that
// will not have the session's version.
[[nodiscard]] std::set<std::string> put_merges(const ReviewSession& session, OnConflict how,
                                               ChosenChanges& chosen, ApplyPlan& plan);

}  // namespace shadow
