// SPDX-License-Identifier: MIT
// One undo as a whole: files, refs, and what the session gets back.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/promotion.hpp"
#include "shadow/session.hpp"

namespace shadow::apply {

// Does what the plan says, in the session that the apply was of, if it is still there. The project
// must have been recovered and its runs recorded (settle_project). Throws as execute_undo does.
[[nodiscard]] TakenBack take_back(const StateDir& state, const ApplySite& site,
                                  const UndoPlan& plan);

}  // namespace shadow::apply
