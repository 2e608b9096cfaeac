// SPDX-License-Identifier: MIT
// A plan as a patch: what it will do to the real tree.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/patch.hpp"

#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::apply {

// From what the project has to what the plan writes, merged texts included. Files and symlinks;
// what lies in a git directory has no patch. The contents are borrowed from the session's two
// trees.
[[nodiscard]] std::vector<PatchFile> plan_patch(const session::ReviewSession& session,
                                                const ApplyPlan& plan);

}  // namespace shadow::apply
