// SPDX-License-Identifier: MIT
// What an apply does with what both sides changed.

#pragma once

#include "session/directory/review_session.hpp"

#include <cstdint>

namespace shadow::apply {

// What an apply does where the session and somebody else both changed a path. All but Stop merge
// what goes together and differ in what they do with the rest.
enum class OnConflict : std::uint8_t {
  Stop,    // nothing at all is written
  Merge,   // likewise, when something does not go together
  Skip,    // what does not go together stays in the session, with all that belongs to it
  Ours,    // the project's version stays; the session keeps its own
  Theirs,  // the session's version is written
  Markers  // both versions of the lines; stops where there are no lines
};

// What the user's configuration says for the session's project; without a word of it Merge. Throws
// Error for a configuration that cannot be read.
[[nodiscard]] OnConflict configured_on_conflict(const session::ReviewSession& session);

}  // namespace shadow::apply
