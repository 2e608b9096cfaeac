// SPDX-License-Identifier: MIT
// Where a session's branches and tags stood when their commits were shown one by one. An apply
// moves none of them that stands elsewhere by then: what it has more was read by nobody.

#pragma once

#include "shadow/commits.hpp"

#include "apply/promotion/promotion.hpp"
#include "commits/plan/commit_plan.hpp"
#include "commits/plan/new_history.hpp"
#include "git/repository/git_refs.hpp"
#include "session/directory/review_session.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace shadow::apply {

// Keeps that with the session. `new_git_dir` is one that the session made; "": the project's.
void keep_shown_refs(const session::ReviewSession& session, const std::vector<BranchWork>& rows,
                     const std::string& new_git_dir = {});

// Throws UnseenError for those of new repositories that have other commits by now.
void require_histories_as_shown(const session::ReviewSession& session,
                                const std::vector<NewHistory>& histories);

// Throws UnseenError for those that the plan would move.
void require_refs_as_shown(const session::ReviewSession& session, const commits::CommitPlan& plan);

// How many branches and tags an apply brings with commits, and of how many these were never shown.
struct LookedRefs {
  std::size_t all = 0;
  std::size_t never = 0;
};
[[nodiscard]] LookedRefs looked_refs(const session::ReviewSession& session,
                                     const commits::CommitPlan& plan, const Promotion& promotion);

// Throws UnseenError if what the session has checked out has other commits by now.
void require_head_as_shown(const session::ReviewSession& session, const git::Refs& viewed);

// Once they have arrived.
void forget_shown_histories(const session::ReviewSession& session,
                            const std::vector<NewHistory>& histories);

// Once they were moved.
void forget_shown_refs(const session::ReviewSession& session, const commits::CommitPlan& plan);

}  // namespace shadow::apply
