// SPDX-License-Identifier: MIT
// What the objects of the public interface hold.

#pragma once

#include "shadow/session.hpp"
#include "shadow/workspace.hpp"

#include "apply/promotion/promotion.hpp"
#include "commits/plan/commit_plan.hpp"
#include "session/directory/review_session.hpp"

#include <memory>
#include <string>
#include <vector>

namespace shadow {

struct StateHandle {
  StateDir dir;
  workspace::Sinks sinks;
};

struct SessionHandle {
  std::shared_ptr<const StateHandle> state;
  Project project;  // the caller stands at its root: paths are relative to that
  std::string agent;
};

struct PlanHandle {
  std::shared_ptr<const SessionHandle> of;
  session::ReviewSession session;
  apply::Promotion promotion;
  commits::CommitPlan commits;
  bool with_commits = false;
  bool keep_mtime = false;
  bool unseen = false;  // also what changed after it was shown
  bool executed = false;

  // The same as data.
  std::vector<workspace::PlannedStep> steps{};
  std::vector<workspace::PlannedRef> refs{};
  std::vector<workspace::Reason> conflicts{};
  std::vector<workspace::Reason> sensitive{};
  std::vector<std::string> not_shown{};
  std::vector<workspace::Reason> left{};
};

}  // namespace shadow
