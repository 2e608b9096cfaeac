// SPDX-License-Identifier: MIT
#include "refresh/refresh.hpp"

#include "shadow/error.hpp"

#include "bases/capture/base_text.hpp"
#include "bases/ledger/ledger.hpp"
#include "bases/ledger/seen.hpp"
#include "bases/ledger/settle_refresh.hpp"
#include "live/hold.hpp"
#include "promote/recover/transaction.hpp"
#include "refresh/keep_up_git.hpp"
#include "refresh/refresher.hpp"
#include "refresh/renew_untouched.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/run_lifecycle.hpp"
#include "session/project/place.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/tallies.hpp"
#include "upkeep/clean_up.hpp"

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shadow::refresh {

namespace {

constexpr const char* kRefresh = "refresh the session";
constexpr std::chrono::seconds kPatience{10};

// All runs are recorded first, so that nothing that the refresh writes is taken for theirs.
void settle_ended_runs(const session::ReviewSession& session) {
  const auto settled = sys::lock_file_within(session.dir.fd(), session::kSettleLock,
                                             sys::LockMode::Exclusive, session::kSettlePatience);
  if (!settled) {
    throw Error{"cannot refresh the session: its last runs are still being recorded", "try again",
                ExitCode::Refused};
  }
  session::end_abandoned_runs(*session.db, session.dir.id());
  bases::settle_runs(session.state, session.dir, session.project.root, *session.db);
}

// Removes what earlier refreshes and applies left behind.
void begin_with_clean_upper(const session::ReviewSession& session, bool live) {
  bases::settle_refresh(session);
  if (!live && !store::pending_prunes(*session.db, session.row.id).empty()) {
    upkeep::prune(session);
  }
}

// Changes that runs of a live session made meanwhile are recorded as theirs.
void note_what_was_done(const session::ReviewSession& session, bool live) {
  if (!live) {
    bases::note_upper(session);
  }
}

// After a failure; what fails here too, the next command does.
void write_down(const session::ReviewSession& session, bool live) {
  try {
    bases::settle_refresh(session);
    note_what_was_done(session, live);
  } catch (const Error&) {
    return;
  }
}

// All but the `busy` paths.
RefreshReport carry_out(const session::ReviewSession& session, const session::Selection& selection,
                        live::ViewEdit* edit, const std::set<std::string>& busy) {
  const bool live = edit != nullptr;
  constexpr int kAttempts = 5;
  const std::int64_t base_time = base_time_now();
  RefreshReport report;
  report.place = session::place_in(session.project);
  Refresher refresher{session, edit};
  std::set<std::string> candidates;
  for (int attempt = 1;; ++attempt) {
    try {
      RefreshPlan plan = make_refresh_plan(session, selection);
      report.left = std::move(plan.left);
      report.left_ignored = std::move(plan.left_ignored);
      candidates = std::move(plan.emptied);
      for (const RefreshStep& step : plan.steps) {
        if (busy.count(step.path) != 0) {
          continue;
        }
        refresher.carry_out(step);
        if (is_reported(step)) {
          report.done.push_back({step.item, step.kind == RefreshStep::Kind::Rewrite});
        }
      }
      break;
    } catch (const StaleError&) {
      // The user is at work. What was done is done.
      bases::settle_refresh(session);
      if (attempt == kAttempts) {
        write_down(session, live);
        throw;
      }
    } catch (const Error&) {
      write_down(session, live);
      throw;
    }
  }
  const bool emptied = refresher.remove_emptied_directories(std::move(candidates));
  bases::settle_refresh(session);
  note_what_was_done(session, live);
  if (emptied) {
    report.left = make_refresh_plan(session, selection).left;
  }
  if (selection.everything()) {
    renew_untouched(session, base_time);
  }
  return report;
}

// The files are done. What git has locked comes with the next one, and so does what a run has put
// in the place of its git directory, or never.
void bring_git_along(const session::ReviewSession& session, const live::HeldSession& held) {
  try {
    (void)keep_up_git(session, held);
  } catch (const Error&) {
    return;
  }
}

// The paths that a refresh of a live session writes.
std::vector<std::string> written_paths(const session::ReviewSession& session,
                                       const session::Selection& selection) {
  std::vector<std::string> paths;
  for (const RefreshStep& step : make_refresh_plan(session, selection).steps) {
    if (step.kind == RefreshStep::Kind::Rewrite || step.kind == RefreshStep::Kind::Drop) {
      paths.push_back(step.path);
    }
  }
  return paths;
}

struct Refreshed {
  RefreshReport report;
  std::optional<Error> refused;
};

// A file that a run has open for writing stays, and is reported once the rest is done.
Refreshed carry_out_live(const session::ReviewSession& session, const session::Selection& selection,
                         const live::HeldSession& held) {
  const std::vector<std::string> paths = written_paths(session, selection);
  const live::BeingWritten busy = held.view->being_written(session.dir, paths);
  live::ViewEdit edit{held.trees(session)};
  RefreshReport report = carry_out(session, selection, &edit, busy.paths);
  std::optional<Error> refused;
  if (!busy.paths.empty()) {
    refused = busy.refusal(kRefresh, "all else is refreshed; try again when it is closed");
  }
  return {std::move(report), std::move(refused)};
}

}  // namespace

RefreshReport plan_refresh(const session::ReviewSession& session,
                           const session::Selection& selection) {
  RefreshPlan plan = make_refresh_plan(session, selection);
  RefreshReport report;
  report.place = session::place_in(session.project);
  report.left = std::move(plan.left);
  report.left_ignored = std::move(plan.left_ignored);
  for (RefreshStep& step : plan.steps) {
    if (is_reported(step)) {
      report.done.push_back({std::move(step.item), step.kind == RefreshStep::Kind::Rewrite});
    }
  }
  return report;
}

RefreshReport refresh(const session::ReviewSession& session, const session::Selection& selection) {
  const live::HeldSession held = live::hold_session(session, kRefresh, session::LiveRuns::Refuse);
  // An apply that goes on may yet be rolled back.
  const auto project = promote::lock_project(session.site(), kPatience);
  if (!project) {
    throw Error{"cannot refresh the session: an apply is running", "try again when it is done",
                ExitCode::Refused};
  }
  settle_ended_runs(session);
  bases::fetch_base_texts(session);
  begin_with_clean_upper(session, held.live());
  Refreshed refreshed = held.live()
                            ? carry_out_live(session, selection, held)
                            : Refreshed{carry_out(session, selection, nullptr, {}), std::nullopt};
  if (selection.everything()) {
    bring_git_along(session, held);
  }
  store::outdate_tally(*session.db, session.row.id, store::Touched::Anything);
  if (refreshed.refused) {
    throw Error{*refreshed.refused};
  }
  return std::move(refreshed.report);
}

}  // namespace shadow::refresh
