// SPDX-License-Identifier: MIT
// An apply of chosen parts.

#pragma once

#include "apply/choice/choice.hpp"
#include "apply/promotion/promotion.hpp"
#include "hunks/pick.hpp"

#include <functional>
#include <vector>

namespace shadow::apply {

// Answers offers; those without a pick are refused.
using PickParts = std::function<std::vector<hunks::Pick>(const std::vector<hunks::Offer>& offers)>;

// Offers what an apply of `choice` would take, and plans what was picked: nothing else is in the
// plan but directories that it needs. What is offered is copied first; the copies are shown and
// written, whatever the session does meanwhile. A file of which a part was taken is written as the
// real one with that part carried out; its session keeps the whole. What both sides changed is
// offered as the merge of the two, against the real file; what does not go together is left, as
// with OnConflict::Skip. Nothing is offered, and check_promotion's error thrown, when the choice
// could not be applied.
[[nodiscard]] Promotion plan_picked(const session::ReviewSession& session, const ApplyChoice& asked,
                                    const PickParts& pick);

}  // namespace shadow::apply
