// SPDX-License-Identifier: MIT
// Takes what was applied out of a session's upper. Nothing is lost where it is put off: such
// entries are redundant (see the bases), and every command that reviews the session tries again.

#pragma once

#include "session/directory/review_session.hpp"

#include <cstddef>
#include <string>

namespace shadow::upkeep {

// Takes what was applied, and refs that arrived, out of the upper. Needs the session's locks.
void prune(const session::ReviewSession& session);

// Keeps the texts of new bases, of many paths in the background: until then an edit on both sides
// is a conflict, not a merge.
void keep_texts(const session::ReviewSession& session, std::size_t paths);

// After an apply of that many paths. For many it costs as much as the apply, and goes on in the
// background, with the locks: a run that is started meanwhile waits, and sees the project as it is.
// False where a run goes on: what was applied leaves the session when that ends.
bool clean_up(const session::ReviewSession& session, std::size_t paths);

// The work of the background process, which holds the locks.
void run_clean_up(const StateDir& state, const std::string& session);

}  // namespace shadow::upkeep
