// SPDX-License-Identifier: MIT
// The steps of changes that both sides made.

#pragma once

#include "shadow/apply.hpp"

#include "apply/choice/choice.hpp"
#include "changes/merger.hpp"

namespace shadow::apply {

// Puts the merges of the taken changes into the plan that was made of them. Of what turns out not
// to be text, for markers, the step goes and the item becomes a conflict.
[[nodiscard]] MergedPaths put_merges(const session::ReviewSession& session, OnConflict how,
                                     ChosenChanges& chosen, ApplyPlan& plan);

}  // namespace shadow::apply
