// SPDX-License-Identifier: MIT
// Keeps the ledger's memory of the upper true when entries are taken out of it from outside.

#pragma once

#include "session/directory/review_session.hpp"

#include <string>
#include <vector>

namespace shadow::bases {

// Forgets those of the paths, of what lies below them and of the directories above them that are
// not in the upper any more; else the ledger would take them for deletions by the next run. Forgets
// the session's note too when there is nothing left that it could be about.
void forget_gone(const session::ReviewSession& session, const std::vector<std::string>& paths);

// Takes note of files of the upper that were replaced from outside; else the ledger would give them
// to the next run.
void note_rewritten(const session::ReviewSession& session, const std::vector<std::string>& paths);

// Takes note of entries that were put into the upper from outside, and of the directories above
// them, none of which is opaque.
void note_placed(store::Database& db, const std::string& session, int upper,
                 const std::vector<std::string>& paths);

// Takes note of the upper as it is. Only when every run has been recorded: what one did would else
// be nobody's.
void note_upper(const session::ReviewSession& session);

}  // namespace shadow::bases
