// SPDX-License-Identifier: MIT
// Directories of the project that a session has deleted or made anew, which hides whatever comes to
// the project's. The file `made-anew` has the time up to which that was looked at, for each.

#pragma once

#include "session/directory/session_dir.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::session {

struct MadeAnew {
  std::string path;
  std::int64_t since_ns = 0;  // from then on nothing of the project's shows in it
};

// Replaces the notes. A directory that is noted already keeps its time; of another one all that
// changed since it began to hide is still to be looked at. Those in a git directory, which has its
// own ways, and those that the project lacks are left out.
void note_made_anew(const SessionDir& session, int lower, const std::vector<MadeAnew>& directories);

// The directories of the notes.
[[nodiscard]] std::vector<std::string> made_anew(const SessionDir& session);

// For none of these a look is to be taken any more.
void leave_alone(const SessionDir& session, const std::vector<std::string>& directories);

// Notes that a look begins now.
void note_look(const SessionDir& session, int lower);

// True if something came to one of them, or went, since the last look. Costs a run one system call
// where the session has none.
[[nodiscard]] bool has_more_in_made_anew(const SessionDir& session, const std::string& project);

}  // namespace shadow::session
