// SPDX-License-Identifier: MIT
// Where the state can lie: overlayfs takes no upper on overlayfs, as most containers have it.

#pragma once

#include <string>

namespace shadow::sandbox {

// Where a state in memory is: on the shared memory that every container has, so that each command
// finds it.
[[nodiscard]] std::string state_in_memory();

// Whether this is that place, so that it ends with the machine or the container.
[[nodiscard]] bool is_state_in_memory(const std::string& state);

// The command with which the caller gets a directory of root's, as a new volume of Docker's is.
[[nodiscard]] std::string give_to_caller(const std::string& directory);

// Where the state cannot stay where it is, or would not last there: the command for a directory of
// this machine that was found to do, the first that outlives a restart; in a container the volume
// to start it with, or a state in memory.
[[nodiscard]] std::string mend_of_state(const std::string& state);

// Before the kernel refuses a whiteout there with nothing but EPERM: throws Error with that mend.
void check_state_place(const std::string& state);

}  // namespace shadow::sandbox
