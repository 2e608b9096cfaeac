// SPDX-License-Identifier: MIT
// Work that nobody waits for, done by the second program: it needs what the first is kept free of.

#pragma once

#include "session/directory/session_dir.hpp"
#include "sys/files/lock.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::session {

// The argument that makes shadow-review keep the bases of the session named next.
inline constexpr const char* kKeepBases = "--keep-bases";

// Starts shadow-review to take the session's base tree, if it has none, and to keep the texts that
// its bases lack. The process is nobody's child, has none of this one's descriptors and, but for
// its first look at the project, runs behind whatever the caller does next. Costs the caller two
// vfork(2)s.
void keep_bases_in_background(const SessionDir& session);

// The argument that makes it remove applied entries from the session's upper.
inline constexpr const char* kCleanUp = "--clean-up";

// Starts shadow-review likewise to do so. It inherits the session's two locks, so that no command
// comes in between: they are free again when it is done.
void clean_up_in_background(const SessionDir& session, int lock, int idle);

// The argument that makes it bring a session's git index up to the project.
inline constexpr const char* kKeepUpGit = "--keep-up-git";

// Starts shadow-review to do so, and waits for it. It inherits the session's two locks likewise.
void keep_up_git(const SessionDir& session, int lock, int idle);

// The argument that makes it show the project's in directories that the session has made anew.
inline constexpr const char* kShowInMadeAnew = "--show-in-made-anew";

// The same for that.
void show_in_made_anew(const SessionDir& session, int lock, int idle);

// The argument that makes it count the contents of sessions.
inline constexpr const char* kCount = "--count";

// Starts shadow-review likewise to count what these sessions hold, for the list of all. Where no
// process is to be had, the next list tries again.
void count_in_background(const StateDir& state, const std::vector<std::string>& sessions);

// The argument that makes the view of a live session follow the project.
inline constexpr const char* kFollow = "--follow";

// Starts shadow-review likewise to do so, unless a process does already.
void follow_in_background(const SessionDir& session);

// The lock of the process that follows the project; nullopt if there is such a process.
[[nodiscard]] std::optional<sys::FileLock> try_lock_following(const SessionDir& session);

// The way in which the view follows: by the kernel's events, or by time if a limit of the user's is
// too low for that.
enum class FollowedBy : std::uint8_t { Events, Time };
void note_following(const SessionDir& session, FollowedBy how);
[[nodiscard]] FollowedBy how_followed(const SessionDir& session);

// When that was noted, if the view follows, or last did, by events.
[[nodiscard]] std::optional<std::int64_t> followed_since(const SessionDir& session);

}  // namespace shadow::session
