// SPDX-License-Identifier: MIT
// A session opened for review: found, settled, repaired, with its two trees at hand.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/session.hpp"

#include "session/recovery.hpp"
#include "session/session_dir.hpp"
#include "store/database.hpp"
#include "store/runs.hpp"
#include "store/sessions.hpp"
#include "sys/fd.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

struct ReviewSession {
  StateDir state;
  Project project;
  store::SessionRow row;
  SessionDir dir;
  std::unique_ptr<store::Database> db;
  sys::Fd upper;
  sys::Fd lower;

  [[nodiscard]] ApplySite site() const { return {state.path(), project.root, *db}; }
};

struct ReviewRequest {
  std::optional<std::string> directory;  // -C
  std::optional<std::string> as;
};

// Opens the session that is meant: the named one, else the only one of the project, else the only
// one that has changes. Repairs an apply that was interrupted, waits until ended runs are recorded,
// and, when the session is idle, drops what applies left behind in the upper. Throws Error with a
// hint when there is no such session, when several could be meant, when the project's directory is
// gone or is another one.
[[nodiscard]] ReviewSession open_review(const ReviewRequest& request, const NoteSink& note);

// The session that is meant, as open_review finds it; not opened. Throws Error.
[[nodiscard]] store::SessionRow choose_session(const StateDir& state, const Project& project,
                                               const std::optional<std::string>& as,
                                               store::Database& db);

// Opens a known session as it is: nothing is waited for, repaired or checked. nullopt when its
// files or the project's directory are gone.
[[nodiscard]] std::optional<ReviewSession> open_as_it_is(const StateDir& state,
                                                         const store::SessionRow& row);

// Waits until the ended runs of every session of the project are recorded.
void settle_project(const StateDir& state, const Project& project, store::Database& db,
                    const NoteSink& note);

// Does what applies had to leave undone because the session was live: takes entries that say
// nothing any more out of the upper. Nothing while the session is live.
void prune_when_idle(const ReviewSession& session);

// Whether the run's supervisor is alive.
[[nodiscard]] bool is_live(const store::RunRow& run);

// Runs of the session whose supervisor is alive.
[[nodiscard]] std::vector<store::RunRow> live_runs(const ReviewSession& session);

}  // namespace shadow
