// SPDX-License-Identifier: MIT
// Opening the files of a change that was found a moment ago, and what it was judged by.

#pragma once

#include "shadow/base.hpp"
#include "shadow/entry.hpp"
#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"
#include "sys/files/fd.hpp"

#include <optional>
#include <string>

namespace shadow::changes {

// Opens a file for reading that was found as `reviewed`. Empty where the caller may not read it.
// Throws StaleError when it has gone or another one is there by now: what follows the project
// replaces files of a live session at any time, and what is recorded about one is not about the
// other. It may have been written in place: whoever reads it has to know that.
[[nodiscard]] sys::Fd open_reviewed(int root, const std::string& path, const Entry& reviewed);

// The whole of one, at most kMostBytesOfAFile. Throws StaleError.
[[nodiscard]] std::string read_reviewed(int root, const std::string& path, const Entry& reviewed);

// The base that the item at this path was judged by. Where the ledger has none, as of a file that
// the user was writing whenever it looked, that is the base tree's.
[[nodiscard]] std::optional<Base> base_of_item(const session::ReviewSession& session,
                                               const std::string& path, const ReviewItem& item);

}  // namespace shadow::changes
