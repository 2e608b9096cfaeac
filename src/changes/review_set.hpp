// SPDX-License-Identifier: MIT
// The reviewed change set of a session.

#pragma once

#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"
#include "session/selection/selection.hpp"

#include <cstdint>

namespace shadow::changes {

// Git directories are walked on request only: they may be as large as the project's history.
enum class WalkGitDirs : std::uint8_t { No, Yes };

// Compares the upper with the real tree and says of each change where it stands. Where
// the real entry drifted it says what becomes of the two changes; what the project has already, and
// an entry that is the base again, is no change of the session.
// Lectic's script files (.lectic_script-*), which its host writes beside the project's own, are
// left out. How many changes all of the session has is recorded for a list of the sessions
// (store/tables/tallies). When files change while they are compared, it starts again a few times.
// Throws Error.
[[nodiscard]] ReviewSet review_changes(const session::ReviewSession& session,
                                       const session::Selection& selection, WalkGitDirs git_dirs);

// Of an item without a change of the session's: true if git ignores the file or link, and the
// project has another version. Until then it keeps the session's times, for whoever builds by them.
[[nodiscard]] bool hides_ignored(const ReviewItem& item);

// A name that Lectic gives to the scripts that it writes.
[[nodiscard]] bool is_lectic_script(std::string_view path);

}  // namespace shadow::changes
