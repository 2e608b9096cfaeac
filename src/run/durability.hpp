// SPDX-License-Identifier: MIT
// The durability of a session's writes. Its overlay is mounted `volatile`, so nothing in a run
// waits for the disk; afterwards the upper's filesystem is synced as a whole, in the background.

#pragma once

#include "session/directory/session_dir.hpp"

#include <cstdint>
#include <string>

namespace shadow::run {

// To be called under `lock` before the first mount of an idle session. Leaves the mark `unsynced`
// with this boot's id. Returns whether the machine was restarted while an older mark was there: the
// upper may then hold files that were never wholly written. The mark needs no fsync: on journalling
// filesystems it reaches the disk no later than the writes that follow it.
[[nodiscard]] bool mark_unsynced(const session::SessionDir& session);

// Syncs the upper's filesystem. When the session is idle, takes the mark away and leaves the work
// directories as new, for the next mount. One at a time.
void sync_session(const session::SessionDir& session);

}  // namespace shadow::run
