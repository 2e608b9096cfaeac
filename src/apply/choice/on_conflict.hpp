// SPDX-License-Identifier: MIT
// The treatment of paths that both sides changed.

#pragma once

#include "shadow/review.hpp"
#include "shadow/workspace_types.hpp"

#include "session/directory/review_session.hpp"

namespace shadow::apply {

// All but Stop merge what goes together and differ in what they do with the rest.
using OnConflict = workspace::OnConflict;

// Resolves Configured to what the user's configuration says for the session's project, or Merge
// without a word of it; others stay. Throws Error for a configuration that cannot be read.
[[nodiscard]] OnConflict settled(OnConflict how, const session::ReviewSession& session);

// True if neither version is written as it is, but a merge of the two or one with markers.
[[nodiscard]] bool is_merged(const ReviewItem& item, OnConflict how);

// True if the change stops an apply that deals with conflicts in that way.
[[nodiscard]] bool stops(const ReviewItem& item, OnConflict how);

}  // namespace shadow::apply
