// SPDX-License-Identifier: MIT
// The rules about sensitive changes for one session: what they need to know of its two trees and of
// the user's set-up.

#pragma once

#include "sensitive/sensitive.hpp"
#include "session/directory/review_session.hpp"

#include <string>
#include <vector>

namespace shadow::changes {

// `changes` are the session's, `patterns` the user's own. Borrows the session.
[[nodiscard]] sensitive::SensitivePlaces places_of_session(
    const session::ReviewSession& session, const std::vector<Change>& changes,
    const std::vector<std::string>& patterns);

}  // namespace shadow::changes
