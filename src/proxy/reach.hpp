// SPDX-License-Identifier: MIT
// From a host that is on the list to a connection.

#pragma once

#include "policy/allow_list.hpp"
#include "proxy/denials.hpp"
#include "proxy/request.hpp"
#include "sys/files/fd.hpp"

namespace shadow::proxy {

// Checks the request against the list, resolves, and connects, from where this process is. A name
// leads to public addresses only, or whoever answers for it could point it at a service of the
// host's own network; an address that the list names itself is allowed all the same. Throws
// Refusal; what the list did not allow is counted.
[[nodiscard]] sys::Fd reach(const Request& request, const policy::AllowList& allowed,
                            Denials& denials);

}  // namespace shadow::proxy
