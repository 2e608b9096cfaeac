// SPDX-License-Identifier: MIT
// Bases whose texts are objects of the project's repository.

#pragma once

#include "git/objects/git_objects.hpp"
#include "session/directory/review_session.hpp"

#include <string>
#include <vector>

namespace shadow::bases {

// Copies the texts of these objects of the project's repository into the store: their names there,
// "" for those that are not to be had.
[[nodiscard]] std::vector<std::string> keep_objects(const session::ReviewSession& session,
                                                    const std::vector<git::WantedBlob>& wanted);

// Copies the texts that the session's bases name by an object's id, where the objects are still
// there. What a merge needs does not depend on the repository from then on.
void fetch_base_texts(const session::ReviewSession& session);

}  // namespace shadow::bases
