// SPDX-License-Identifier: MIT
// Possible places of the state: overlayfs accepts no upper on overlayfs, which most containers
// have.

#pragma once

#include "shadow/error.hpp"

#include <string>

namespace shadow::sandbox {

// The place of a state in memory: the shared memory that every container has, where each command
// finds it.
[[nodiscard]] std::string state_in_memory();

// True for that place, whose content ends with the machine or the container.
[[nodiscard]] bool is_state_in_memory(const std::string& state);

// The command with which the caller gets a directory of root's, as a new volume of Docker's is.
[[nodiscard]] std::string give_to_caller(const std::string& directory);

// Advice for a state that cannot stay in its place or would not last there: the command for a
// directory of this machine that works, preferably one that outlives a restart; in a container the
// volume to start it with, or a state in memory.
[[nodiscard]] std::string advice_on_state(const std::string& state);

// The hint of an error; where it has none and there was no room, where to make some.
[[nodiscard]] std::string hint_on_room(const Error& error, const std::string& state);

// Throws Error with that advice, before the kernel refuses a whiteout there with a mere EPERM.
void check_state_place(const std::string& state);

}  // namespace shadow::sandbox
