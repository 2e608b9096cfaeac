// SPDX-License-Identifier: MIT
// Opens a session for review: found, settled and repaired.

#pragma once

#include "shadow/error.hpp"
#include "shadow/session.hpp"

#include "session/directory/review_session.hpp"
#include "session/directory/session_dir.hpp"
#include "store/database/database.hpp"
#include "store/tables/sessions.hpp"

#include <optional>
#include <string>

namespace shadow::upkeep {

// Thrown where the project has no session, or not the one that was named.
class NoSessionError : public Error {
 public:
  using Error::Error;
};

struct ReviewRequest {
  std::optional<std::string> directory;  // -C
  std::optional<std::string> as;
};

// Opens the session that is meant: the named one, else the only one of the project, else the only
// one that has changes. Repairs an apply that was interrupted, waits until ended runs are recorded,
// and, when the session is idle, drops what applies left behind in the upper. Throws
// NoSessionError, and Error with a hint when several could be meant, or when the project's
// directory is gone or is another one.
[[nodiscard]] session::ReviewSession open_review(const ReviewRequest& request,
                                                 const NoteSink& note);

// The same in a state and for a project that were found before.
[[nodiscard]] session::ReviewSession open_review(const StateDir& state, const Project& project,
                                                 const std::optional<std::string>& as,
                                                 const NoteSink& note);

// The session that is meant, as open_review finds it; not opened. Throws as that does.
[[nodiscard]] store::SessionRow choose_session(const StateDir& state, const Project& project,
                                               const std::optional<std::string>& as,
                                               store::Database& db);

// The same where the database cannot be opened: the session of the agent that is named, or of the
// one that no name means.
[[nodiscard]] std::optional<SessionRecord> choose_session_by_files(
    const StateDir& state, const Project& project, const std::optional<std::string>& as);

// Waits until the ended runs of the session of the project at `root` are recorded, and says so
// where that takes too long.
void settle_session(const StateDir& state, const session::SessionDir& dir, const std::string& root,
                    store::Database& db, const NoteSink& note);

// Waits until the ended runs of every session of the project are recorded.
void settle_project(const StateDir& state, const Project& project, store::Database& db,
                    const NoteSink& note);

// Does what applies had to leave undone because the session was live: takes entries that say
// nothing any more out of the upper. Nothing while the session is live.
void prune_when_idle(const session::ReviewSession& session);

}  // namespace shadow::upkeep
