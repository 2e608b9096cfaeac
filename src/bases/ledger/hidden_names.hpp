// SPDX-License-Identifier: MIT
// What the session's directories hide of the project's without ever having had it.

#pragma once

#include "shadow/entry.hpp"

#include "overlay/write/lift.hpp"
#include "session/directory/session_dir.hpp"
#include "store/database/database.hpp"

#include <cstdint>
#include <string>

namespace shadow::bases {

// True if the project's entry is certain to be younger than what hides it. By its birth: a touch
// moves the change time of one that the session had seen, and deleted. Of what was moved there, and
// where the filesystem keeps no births, nothing is certain.
[[nodiscard]] bool was_made_after(const Entry& real, std::int64_t since_ns);

// The time at which the session's entry for the directory itself began to hide what is in it;
// INT64_MAX where it hides nothing.
[[nodiscard]] std::int64_t hides_since(store::Database& db, const std::string& session,
                                       const std::string& directory);

// Tells, when a directory that the session has deleted or replaced is to merge with the project's
// again, what stays hidden there: all but what the user has put there since, of which the session
// knows nothing. A deletion left in its place would pass for one of the next run's. Borrows all
// three; `lower` is the project's directory.
[[nodiscard]] overlay::StaysHidden hidden_by_session(store::Database& db,
                                                     const session::SessionDir& session, int lower);

}  // namespace shadow::bases
