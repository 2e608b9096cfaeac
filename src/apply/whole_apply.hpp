// SPDX-License-Identifier: MIT
// One apply as a whole: its files, and the commits that go with them.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/commits.hpp"

#include "apply/choice/choice.hpp"
#include "apply/promotion/promotion.hpp"
#include "commits/move/commit_promote.hpp"
#include "commits/plan/commit_plan.hpp"
#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::apply {

// True if the choice includes commits, if they are wanted: only the whole session does. The files
// of some paths are not what a commit says.
[[nodiscard]] bool takes_commits(const ApplyChoice& choice);

// False if something is in conflict or blocked: then nothing is written.
[[nodiscard]] bool can_be_written(const Promotion& promotion);

// The commits that go with these files; none where these cannot be written. `rows` are the
// session's commits as they were before its files were looked at.
[[nodiscard]] commits::CommitPlan commits_with(const session::ReviewSession& session,
                                               const std::vector<BranchWork>& rows,
                                               const Promotion& promotion,
                                               const ApplyChoice& choice);

struct Applied {
  ApplyResult files;  // its id is set as soon as the files are written
  CommitOutcome commits;
};

enum class ArrivedRefs : std::uint8_t { Keep, Drop };

// Writes both, objects first, takes what was written out of the session, and has that show what
// else the project has by now. The promotion must have passed `check_promotion`. Throws as
// execute_as_shown and move_refs do: what `done` says of the files by then is so all the same.
void execute_whole(const session::ReviewSession& session, const Promotion& promotion,
                   const commits::CommitPlan& commits, ArrivedRefs arrived, bool keep_mtime,
                   Applied& done);

}  // namespace shadow::apply
