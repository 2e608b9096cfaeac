// SPDX-License-Identifier: MIT
// One client's connection from its first byte to its last.

#pragma once

#include "policy/allow_list.hpp"
#include "proxy/denials.hpp"

namespace shadow::proxy {

// Reads the request, checks it, connects and copies; or says why not. Never throws.
void serve_client(int client, const policy::AllowList& allowed, Denials& denials) noexcept;

}  // namespace shadow::proxy
