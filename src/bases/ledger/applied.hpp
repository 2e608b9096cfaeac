// SPDX-License-Identifier: MIT
// The session's side of an apply: new bases, and an upper without the entries that the project has.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/change.hpp"

#include "session/directory/review_session.hpp"
#include "store/tables/bases.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shadow::bases {

using NewBases = std::map<std::string, Base>;

// The session's own version as its next base, for a path at which the project gets a merge: what
// the merge has beyond it is then the project's change, and the session's entry is redundant until
// it changes again. The content is stored: `text`, where the session's was read for the merge, else
// that of the session's file. Throws StaleError when that is not what was reviewed.
[[nodiscard]] Base base_of_session(const session::ReviewSession& session, const Change& change,
                                   const std::optional<std::string>& text);

// Writes the new base of a path that was written: that in `of_session`, else what the project has
// now. Part of a transaction of the caller's.
void put_new_base(const session::ReviewSession& session, const NewBases& of_session,
                  const AppliedEntry& path);

// Takes out of the upper what was applied and has not changed since, so that the view is what the
// project has there. The texts become those of the bases, by renaming. Needs the session's locks.
void take_out_applied(const session::ReviewSession& session);

// Copies the texts of bases that an apply left and that are not kept yet, where that can be done.
void keep_applied_texts(const session::ReviewSession& session);

}  // namespace shadow::bases
