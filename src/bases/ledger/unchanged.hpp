// SPDX-License-Identifier: MIT
// Files that a run copied up and left as the project has them: touched, or written with what they
// had, or put back as they were before a run changed them. They are no change, and would hide the
// next one of the project's; or become one, when the project goes back to the base.

#pragma once

#include "bases/capture/capture.hpp"
#include "session/directory/session_dir.hpp"
#include "store/database/database.hpp"
#include "store/tables/placed_copies.hpp"

#include <string>
#include <vector>

namespace shadow::bases {

// The paths of those entries that may be such copies, as far as one look at the project's file
// tells, or at the base that is taken for it or was before, where the project has gone on since: to
// be written down (store::add_possible_copy) and compared later.
[[nodiscard]] std::vector<store::PossibleCopy> possible_copies(
    store::Database& db, const std::string& session, int lower,
    const std::vector<TouchedEntry>& entries, const std::vector<CapturedBase>& bases);

// True if all of it is written down.
[[nodiscard]] bool are_noted(store::Database& db, const std::string& session,
                             const std::vector<store::PossibleCopy>& copies);

// Compares what was written down with the project, and records as placed copies those that are what
// the project had already when they began to hide it. Reads both files where their sizes are the
// same. Puts it off while a run goes on, which can write to a page that it has mapped, what no time
// tells; and while there is no base tree. What may hide a later version, or a deletion, stays
// written down: to compare it with its base takes the project's repository
// (refresh::catch_up_at_rest).
void settle_possible_copies(const session::SessionDir& session, const BaseCapture& capture,
                            int lower, store::Database& db);

}  // namespace shadow::bases
