// SPDX-License-Identifier: MIT
// Commits of a session: as a list, and what an apply does with them. Pure.

#pragma once

#include "shadow/commits.hpp"

#include "apply/commit_branch.hpp"
#include "cli/render/json.hpp"
#include "commits/move/commit_promote.hpp"
#include "commits/show/commit_patch.hpp"

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
[[nodiscard]] std::string commit_head(const commits::NewCommit& commit, bool color);
[[nodiscard]] Json to_json(const commits::NewCommit& commit);

// A line that names the paths at which commits bring what the work tree does not show; "" when
// there are none.
[[nodiscard]] std::string not_shown_text(const std::vector<std::string>& paths);
[[nodiscard]] Json not_shown_json(const std::vector<std::string>& paths);

// One branch with its commits, as `status` and `diff --commits` print it.
[[nodiscard]] Json to_json(const BranchWork& work);

// What an apply would do with them, and what it did.
[[nodiscard]] std::string plan_text(const commits::CommitPlan& plan);
[[nodiscard]] std::string outcome_text(const commits::CommitPlan& plan,
                                       const commits::CommitOutcome& outcome);
[[nodiscard]] Json plan_json(const commits::CommitPlan& plan);
[[nodiscard]] Json outcome_json(const commits::CommitOutcome& outcome);

// A new branch.
[[nodiscard]] std::string branch_text(const apply::MadeBranch& made, std::string_view from);
[[nodiscard]] Json branch_json(const apply::MadeBranch& made);

// What an undo did to refs.
[[nodiscard]] std::string undone_text(const std::vector<commits::UndoneRef>& refs);
[[nodiscard]] Json undone_json(const std::vector<commits::UndoneRef>& refs);

// "2 commits of 'main'", for a question; "" when there are none.
[[nodiscard]] std::string commits_in_words(const std::vector<BranchWork>& branches);

}  // namespace shadow::cli
