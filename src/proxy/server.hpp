// SPDX-License-Identifier: MIT
// The program: threads that accept, and one that waits for the end.

#pragma once

#include "policy/allow_list.hpp"

namespace shadow::proxy {

// Serves on the socket that arrives over `channel` until the other end is closed, then says what
// was denied. The exit status.
[[nodiscard]] int serve(int channel, const policy::AllowList& allowed);

}  // namespace shadow::proxy
