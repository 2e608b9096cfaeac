// SPDX-License-Identifier: MIT
// Bases whose texts are objects of the project's repository.

#pragma once

#include "session/review_session.hpp"

namespace shadow {

// Copies the texts that the session's bases name by an object's id, where the objects are still
// there. What a merge needs does not depend on the repository from then on.
void fetch_base_texts(const ReviewSession& session);

}  // namespace shadow
