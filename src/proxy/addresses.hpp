// SPDX-License-Identifier: MIT
// Which addresses a name may lead to. Pure.

#pragma once

#include <string>

#include <sys/socket.h>

namespace shadow::proxy {

// True for an address of the public Internet. False for loopback, private, link-local, shared,
// multicast, documentation and reserved ones, for IPv6 forms that carry such an IPv4 address, and
// for other families.
[[nodiscard]] bool is_public(const sockaddr* address);

// The address as inet_ntop(3) writes it; "" for other families.
[[nodiscard]] std::string address_text(const sockaddr* address);

}  // namespace shadow::proxy
