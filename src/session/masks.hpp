// SPDX-License-Identifier: MIT
// The masks of a home overlay: whiteouts in its upper over what a run is not to see. They cost
// nothing per run, cannot be lifted from inside, and hold for names that appear later.

#pragma once

#include "sandbox/plan.hpp"
#include "session/session_dir.hpp"

namespace shadow {

// Masks every secret of the plan whose parent directory exists, and the state. A whiteout in a
// directory that the lower does not have would show as a device, so the others are noted in the
// file `unmasked` and masked as soon as their parent exists (renew_masks, before every run).
void seed_masks(const SessionDir& session, const sandbox::SessionPlan& plan);
void renew_masks(const SessionDir& session, const sandbox::SessionPlan& plan);

}  // namespace shadow
