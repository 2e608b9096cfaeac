// SPDX-License-Identifier: MIT
// The contents of Plan.

#pragma once

#include "shadow/workspace.hpp"

#include "apply/choice/choice.hpp"
#include "apply/promotion/promotion.hpp"
#include "commits/plan/commit_plan.hpp"
#include "workspace/call/handle.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

struct PlanHandle {
  std::shared_ptr<const ReviewHandle> of;
  apply::Promotion promotion;
  commits::CommitPlan commits{};
  bool with_commits = false;
  bool keep_mtime = false;
  bool unseen = false;  // also what changed after it was shown
  bool shown = false;   // as it is
  bool executed = false;
  workspace::Looked looked{};
  workspace::Applied done{};

  // The same as data.
  std::optional<std::vector<workspace::PlannedStep>> steps{};  // once they are asked for
  std::vector<PlannedRef> refs{};
  std::vector<workspace::Reason> conflicts{};
  std::vector<workspace::Reason> sensitive{};
  std::vector<workspace::Reason> left{};

  void describe();
};

[[nodiscard]] apply::ApplyChoice choice_of(const workspace::ApplyOptions& options,
                                           const session::ReviewSession& session);

}  // namespace shadow
