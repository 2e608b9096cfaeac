// SPDX-License-Identifier: MIT
// Where a session's branches and tags stood when their commits were shown one by one. An apply
// moves none of them that stands elsewhere by then: what it has more was read by nobody.

#pragma once

#include "shadow/commits.hpp"

#include "commits/plan/commit_plan.hpp"
#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::apply {

// Keeps that with the session.
void keep_shown_refs(const session::ReviewSession& session, const std::vector<BranchWork>& rows);

// Throws UnseenError for those that the plan would move.
void require_refs_as_shown(const session::ReviewSession& session, const commits::CommitPlan& plan);

// Once they were moved.
void forget_shown_refs(const session::ReviewSession& session, const commits::CommitPlan& plan);

}  // namespace shadow::apply
