// SPDX-License-Identifier: MIT
// A session with its two trees and its record at hand.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/session.hpp"

#include "session/directory/session_dir.hpp"
#include "store/database/database.hpp"
#include "store/tables/runs.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/fd.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shadow::session {

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

// The upper of the session's project layer. Throws SysError.
[[nodiscard]] sys::Fd open_upper(const SessionDir& dir);

// Opens a known session as it is: nothing is waited for, repaired or checked. nullopt when its
// files or the project's directory are gone.
[[nodiscard]] std::optional<ReviewSession> open_as_it_is(const StateDir& state,
                                                         const store::SessionRow& row);

// The same, for work that compares it with the project and changes it by that: nullopt also when
// the project's directory is another one than the session began with.
[[nodiscard]] std::optional<ReviewSession> open_with_its_project(const StateDir& state,
                                                                 const store::SessionRow& row);

// Likewise by its id, as work in the background knows it: nullopt also when it was discarded.
[[nodiscard]] std::optional<ReviewSession> open_with_its_project(const StateDir& state,
                                                                 const std::string& id);

// The live runs of the session.
[[nodiscard]] std::vector<store::RunRow> live_runs(const ReviewSession& session);

}  // namespace shadow::session
