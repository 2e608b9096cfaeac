// SPDX-License-Identifier: MIT
// An apply of chosen parts.

#pragma once

#include "apply/choice/choice.hpp"
#include "apply/promotion/promotion.hpp"
#include "apply/shown/offer_stage.hpp"
#include "hunks/pick.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace shadow::apply {

// The offers of an apply of parts, and the basis of its plan. The offers were copied: the copies
// are shown and written, whatever the session does meanwhile.
struct PartsBasis {
  ApplyChoice choice;
  PlanBasis all;
  Promotion whole;  // all that is offered
  std::set<std::string> taken_back;
  std::shared_ptr<const OfferStage> stage;
  std::vector<hunks::Offer> offers;
};

// Offers what an apply of `choice` would take. What both sides changed is offered as the merge of
// the two, against the real file; what does not go together is left, as with OnConflict::Skip.
// Throws check_promotion's error when the choice could not be applied.
[[nodiscard]] PartsBasis offer_parts(const session::ReviewSession& session,
                                     const ApplyChoice& asked);

// Plans what was picked: nothing else is in the plan but directories that it needs. Offers without
// a pick are refused. A file of which a part was taken is written as the real one with that part
// carried out; its session keeps the whole. What was shown to its last part is kept as shown.
[[nodiscard]] Promotion plan_picked(const session::ReviewSession& session, const PartsBasis& basis,
                                    const std::vector<hunks::Pick>& picks);

}  // namespace shadow::apply
