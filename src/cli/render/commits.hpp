// SPDX-License-Identifier: MIT
// Commits of a session: as a list, and what an apply does with them. Pure.

#pragma once

#include "shadow/commits.hpp"
#include "shadow/promotion.hpp"
#include "shadow/workspace_plan.hpp"

#include "cli/render/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

// Every commit with its author, time and subject, below the branch it is on.
[[nodiscard]] std::string commits_text(const std::vector<BranchWork>& branches, bool color);
[[nodiscard]] Json commits_json(const std::vector<BranchWork>& branches);

// "2 commits not in the project"
[[nodiscard]] std::string news_text(const BranchWork& work);

// A commit's id, branches, author, date and subject, as lines.
[[nodiscard]] std::string commit_head(const NewCommit& commit, bool color);
[[nodiscard]] Json to_json(const NewCommit& commit);

// One branch with its commits, as `diff --commits` prints it; `status` with what an apply would do,
// nothing if that is null.
[[nodiscard]] Json to_json(const BranchWork& work);
[[nodiscard]] Json foreseen_json(const BranchWork& work, const PlannedRef* planned);

// A repository that the session made: what of it arrives, and what it brings. `agent`: whom a
// command that is proposed has to name.
[[nodiscard]] std::string new_repository_line(const NewHistory& history, std::string_view from,
                                              const std::optional<std::string>& agent);
[[nodiscard]] Json to_json(const NewHistory& history);

// The actions of an apply on commits, planned and done.
[[nodiscard]] std::string plan_text(const workspace::Plan& plan);
[[nodiscard]] std::string outcome_text(const workspace::Plan& plan, const CommitOutcome& outcome);
[[nodiscard]] Json refs_json(const std::vector<PlannedRef>& refs);
[[nodiscard]] Json moved_json(const std::vector<MovedRef>& refs);

// A new branch.
[[nodiscard]] std::string branch_text(const MadeBranch& made, std::string_view from);
[[nodiscard]] Json branch_json(const MadeBranch& made);

// The effect of an undo on refs.
[[nodiscard]] std::string undone_text(const std::vector<UndoneRef>& refs);
[[nodiscard]] Json undone_json(const std::vector<UndoneRef>& refs);

// "2 commits of 'main'", for a question; "" when there are none.
[[nodiscard]] std::string commits_in_words(const std::vector<BranchWork>& branches);

}  // namespace shadow::cli
