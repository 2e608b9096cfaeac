// SPDX-License-Identifier: MIT
// Bases whose texts only the session's upper has: what was applied, once the user has gone on.

#pragma once

#include "session/directory/review_session.hpp"

#include <string>

namespace shadow::bases {

// Copies the text of the path's base into the store before the upper's entry goes, where that is
// the base still.
void keep_upper_text(const session::ReviewSession& session, const std::string& path);

}  // namespace shadow::bases
