// SPDX-License-Identifier: MIT
// One undo as a whole: files, refs, and what the session gets back.

#pragma once

#include "shadow/apply.hpp"

#include "apply/promotion/promotion.hpp"
#include "commits/move/commit_promote.hpp"

#include <vector>

namespace shadow::apply {

struct TakenBack {
  UndoOutcome files;
  std::vector<commits::UndoneRef> refs;
};

// Does what the plan says, in the session that the apply was of, if it is still there. The project
// must have been recovered and its runs recorded (settle_project). Throws as execute_undo does.
[[nodiscard]] TakenBack take_back(const StateDir& state, const ApplySite& site,
                                  const UndoPlan& plan);

}  // namespace shadow::apply
