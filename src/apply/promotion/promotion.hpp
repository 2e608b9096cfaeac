// SPDX-License-Identifier: MIT
// Applying a session's changes: from the choice to the plan, and what follows in the session once
// the project has been written.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/review.hpp"

#include "apply/choice/choice.hpp"
#include "apply/choice/merge_plan.hpp"
#include "apply/promotion/give_back.hpp"
#include "commits/plan/new_history.hpp"
#include "session/directory/review_session.hpp"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace shadow::apply {

struct Promotion : shadow::Promotion {
  OnConflict on_conflict = OnConflict::Merge;

  // Paths among them, or among those that take an edit back, of which a part was picked: the
  // session goes on from the base that it has, so that the rest of its change and the project's go
  // together once more.
  std::set<std::string> keeping_base{};

  // Paths of which a part was picked, and the rest stays in the session.
  std::set<std::string> in_part{};

  // Files that are new in the session and stay there, where a deletion is applied: one of them may
  // be what was deleted, moved. Once that is done nothing is left to tell it from one that the user
  // has deleted.
  std::vector<std::string> new_files{};

  // The session has entries without anything of its own that hide what the project has by now.
  bool behind = false;

  // Keeps what the steps borrow.
  std::shared_ptr<const void> held{};
};

// Plans an apply; nothing is written.
[[nodiscard]] Promotion plan_promotion(const session::ReviewSession& session,
                                       const ApplyChoice& choice);

// The same for a review that was made before.
[[nodiscard]] Promotion plan_promotion(const session::ReviewSession& session, ReviewSet set,
                                       const ApplyChoice& choice);

// The same in two: what is read of the session for it, and the plan for one choice or another of
// the paths. `put` brings the merges: by default put_merges, which reads both sides.
struct PlanBasis {
  ReviewSet set;  // with renames paired
  changes::Together together;
  std::vector<NewHistory> histories{};  // of the repositories that the session made
};
[[nodiscard]] PlanBasis plan_basis(const session::ReviewSession& session, ReviewSet set,
                                   const ApplyChoice& choice);
using PutMerges = std::function<MergedPaths(ChosenChanges& chosen, ApplyPlan& plan)>;
[[nodiscard]] Promotion plan_from(const session::ReviewSession& session, const PlanBasis& basis,
                                  const ApplyChoice& choice, const PutMerges& put = {});

// The changes left because of a conflict of their own, where that was asked for (OnConflict::Skip).
[[nodiscard]] std::vector<ReviewItem> skipped_conflicts(const Promotion& promotion);

// Throws Error (Conflict) when a taken path is in conflict, naming each and why, or when nothing is
// left to write but what was skipped because of a conflict; and SensitiveError (Refused) when a
// sensitive change was neither allowed nor skipped.
void check_promotion(const Promotion& promotion);

// Writes it and makes what was written the session's new base; out of the upper it is taken by
// `clean_up`, afterwards. Throws as `execute` does.
ApplyResult execute_promotion(const session::ReviewSession& session, const Promotion& promotion,
                              bool keep_mtime);

// Undoes an apply of the session: what is taken from the project is pending in the session again,
// with the bases that it had. An undo of an undo writes it again, as the apply did.
UndoOutcome undo_in_session(const session::ReviewSession& session, const UndoPlan& undo);

}  // namespace shadow::apply
