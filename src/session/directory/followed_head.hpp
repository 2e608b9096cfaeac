// SPDX-License-Identifier: MIT
// Up to where a session's git index has followed the project's commits. What each move of HEAD
// changed goes into the index once, since the agent may stage what was there before it.

#pragma once

#include "session/directory/session_dir.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace shadow::session {

struct FollowedHead {
  std::string commit;          // of the project's HEAD
  std::string log;             // absolute path of HEAD's log, to which git appends each move
  std::uint64_t log_size = 0;  // of that, before the commit was read; 0: there is none
  std::string index;           // path of the session's own index, below the session's directory
};

// nullopt where there is no note, as in a session without a repository.
[[nodiscard]] std::optional<FollowedHead> read_followed_head(const SessionDir& session);

void write_followed_head(const SessionDir& session, const FollowedHead& head);

// The size of a log as above.
[[nodiscard]] std::uint64_t log_size(const std::string& log);

// True if the session has an index of its own, and HEAD was moved since the note was written, or
// may have been before there was one. Costs a run some four system calls.
[[nodiscard]] bool is_index_behind(const SessionDir& session);

}  // namespace shadow::session
