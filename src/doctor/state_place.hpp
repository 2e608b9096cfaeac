// SPDX-License-Identifier: MIT
// Where else the state could lie.

#pragma once

#include <string>

namespace shadow {

// Where the state cannot stay where it is, or would not last there: the command for a directory of
// this machine that was found to do, the first that outlives a restart; in a container also the
// volume to start it with.
[[nodiscard]] std::string mend_of_state(const std::string& state);

}  // namespace shadow
