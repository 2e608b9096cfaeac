// SPDX-License-Identifier: MIT
// Commits into the real repository: objects, index and refs.

#pragma once

#include "shadow/apply.hpp"

#include "commits/plan/commit_plan.hpp"
#include "sys/files/lock.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::commits {

// Puts the plan's objects into the real store, which changes nothing that anybody sees. Before the
// work tree is written: where there is no room for them, nothing is.
void store_objects(const session::ReviewSession& session, const CommitPlan& plan);

// Moves the refs, after the work tree was written as apply `apply` (0: nothing was to be written).
// Each is locked and compared first; the index follows the branch that is checked out. Commits
// that cannot be moved any more are saved below refs/shadow.
[[nodiscard]] CommitOutcome move_refs(const session::ReviewSession& session, const CommitPlan& plan,
                                      std::int64_t apply);

// Makes a new branch of staged objects; returns the apply that undo knows it by. Throws Error.
[[nodiscard]] std::int64_t write_branch(const session::ReviewSession& session,
                                        const SessionGit& git, const CommitStaging& staging,
                                        const std::vector<std::string>& objects,
                                        const std::string& ref, const std::string& id);

// Takes back what an apply did to refs, and the index with it, as `undo` of its paths did: each
// only where it still is what the apply wrote. In the session, if it is there, its commits are
// pending again. `undo_id` is the undo's own number, made when 0.
[[nodiscard]] std::vector<UndoneRef> undo_refs(const ApplySite& site, const UndoPlan& plan,
                                               const session::ReviewSession* session,
                                               std::int64_t& undo_id);

}  // namespace shadow::commits
