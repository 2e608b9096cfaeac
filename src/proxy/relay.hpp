// SPDX-License-Identifier: MIT
// Bytes between two sockets, both ways.

#pragma once

#include <string_view>

namespace shadow::proxy {

// Sends `early` to `server` first. Ends when both have sent everything, one of them fails, or
// nothing has moved for a quarter of an hour (two minutes once one of them is done). Both become
// non-blocking.
void relay(int client, int server, std::string_view early);

}  // namespace shadow::proxy
