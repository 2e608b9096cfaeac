// SPDX-License-Identifier: MIT
// Work that nobody waits for, done by the second program: it needs what the first is kept free of.

#pragma once

#include "session/session_dir.hpp"

namespace shadow {

// The word by which shadow-review is told to keep the bases of the session that is named next.
inline constexpr const char* kKeepBases = "--keep-bases";

// Starts shadow-review to take the session's base tree, if it has none, and to keep the texts that
// its bases lack. The process is nobody's child, has none of this one's descriptors and runs behind
// whatever the caller does next. Costs the caller two vfork(2)s.
void keep_bases_in_background(const SessionDir& session);

// The word by which it is told to take what was applied out of the session's upper.
inline constexpr const char* kCleanUp = "--clean-up";

// Starts shadow-review likewise to do so. It inherits the session's two locks, so that no command
// comes in between: they are free again when it is done.
void clean_up_in_background(const SessionDir& session, int lock, int idle);

}  // namespace shadow
