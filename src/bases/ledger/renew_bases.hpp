// SPDX-License-Identifier: MIT
// The bases of what a session gave up.

#pragma once

#include "session/directory/review_session.hpp"

#include <string>
#include <vector>

namespace shadow::bases {

// Makes what the project has now the base of paths at or below these that have one.
void renew_bases(const session::ReviewSession& session, const std::vector<std::string>& paths);

}  // namespace shadow::bases
