// SPDX-License-Identifier: MIT
// The treatment of paths that both sides changed.

#pragma once

#include "shadow/workspace_types.hpp"

#include "session/directory/review_session.hpp"

namespace shadow::apply {

// All but Stop merge what goes together and differ in what they do with the rest.
using OnConflict = workspace::OnConflict;

// The same, and for Configured what the user's configuration says for the session's project;
// without a word of it Merge. Throws Error for a configuration that cannot be read.
[[nodiscard]] OnConflict settled(OnConflict how, const session::ReviewSession& session);

}  // namespace shadow::apply
