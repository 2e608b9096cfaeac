// SPDX-License-Identifier: MIT
// Half of a move that a discard gives back: the file has its old name again, and what stays under
// the new one is a file of the session's own.

#pragma once

#include "session/directory/review_session.hpp"

#include <string>
#include <vector>

namespace shadow::discard {

// The new names that stay, of files of which the old ones are among these paths. To be asked before
// those are given back: then nothing tells of the move any more but the mark that overlayfs left,
// and the project's file would be taken for one that was at the new name.
[[nodiscard]] std::vector<std::string> left_copies(const session::ReviewSession& session,
                                                   const std::vector<std::string>& discarded);

// Notes that the project has nothing at those names. Part of a transaction of the caller's.
void record_left_copies(const session::ReviewSession& session,
                        const std::vector<std::string>& copies);

}  // namespace shadow::discard
