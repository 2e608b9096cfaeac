// SPDX-License-Identifier: MIT
#include "refresh/catch_up.hpp"

#include "shadow/error.hpp"

#include "bases/capture/base_text.hpp"
#include "bases/capture/upper_text.hpp"
#include "bases/ledger/seen.hpp"
#include "bases/ledger/settle_refresh.hpp"
#include "live/hold.hpp"
#include "overlay/write/prune.hpp"
#include "promote/recover/transaction.hpp"
#include "refresh/emptied.hpp"
#include "refresh/refresh_plan.hpp"

#include <chrono>
#include <set>
#include <string>

namespace shadow::refresh {

namespace {

void take_copies_out(const session::ReviewSession& session) {
  const auto held = live::try_hold_session(session);
  if (!held || held->live()) {
    return;
  }
  // An apply that goes on may yet be rolled back.
  const auto project = promote::lock_project(session.site(), std::chrono::milliseconds{0});
  if (!project) {
    return;
  }
  bases::settle_refresh(session);
  bases::fetch_base_texts(session);
  RefreshPlan plan = make_keep_up_plan(session, {});
  std::set<std::string> dropped;
  for (const RefreshStep& step : plan.steps) {
    if (step.kind == RefreshStep::Kind::Drop) {
      bases::keep_upper_text(session, step.path);
      overlay::drop(session.upper.get(), session.lower.get(), step.path);
      dropped.insert(step.path);
    }
  }
  plan.emptied.insert(dropped.begin(), dropped.end());
  (void)remove_emptied(session, nullptr, plan.emptied);
  bases::forget_gone(session, {dropped.begin(), dropped.end()});
}

}  // namespace

void catch_up(const session::ReviewSession& session) {
  try {
    take_copies_out(session);
  } catch (const Error&) {
    return;  // what is left hides no more than before, and the next apply tries again
  }
}

}  // namespace shadow::refresh
