// SPDX-License-Identifier: MIT
// The two halves of what may be a move, as find_renames (review/renames) takes them.

#pragma once

#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"

#include <string>

namespace shadow::changes {

// True for a new file that the project's own changes leave alone: the new name of a move, if it is
// of one.
[[nodiscard]] bool may_be_new_name(const ReviewItem& item);

// What the user cannot read has no content to be found again.
[[nodiscard]] bool is_readable(int root, const std::string& path);

// The session's file, as the side of a patch that comes.
[[nodiscard]] PatchFile added_side(const session::ReviewSession& session, const Change& change);

// The project's file, as the side of a patch that goes.
[[nodiscard]] PatchFile real_side(const session::ReviewSession& session, const Change& change);

// A file as it was in the base, with its text, as the side of a patch that goes.
[[nodiscard]] PatchFile deleted_side(std::string path, const Entry& base, std::string text);

}  // namespace shadow::changes
