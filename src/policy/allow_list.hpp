// SPDX-License-Identifier: MIT
// The names and ports that a run may connect to through its proxy (--net=allow:...). Pure.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::policy {

struct AllowedHost {
  std::string host;         // canonical, as canonical_host() makes it
  bool subdomains = false;  // "*.host": every name below it, not itself
  std::uint16_t port = 0;   // 0: those of the web, 80 and 443
  bool operator==(const AllowedHost&) const = default;
};
using AllowList = std::vector<AllowedHost>;

// A host name in lower case without a dot at its end, or an address as inet_ntop(3) writes it,
// IPv6 without brackets. nullopt for anything else: also for forms of an address that only
// inet_aton(3) reads, such as 127.1 or 0x7f000001, which a resolver would take for one.
[[nodiscard]] std::optional<std::string> canonical_host(std::string_view text);

// True if a canonical host is an address.
[[nodiscard]] bool is_address(const std::string& host);

// 1 to 65535, digits only.
[[nodiscard]] std::optional<std::uint16_t> parse_port(std::string_view text);

// "HOST", "HOST:PORT", "[IPv6]" or "[IPv6]:PORT" with a canonical host; port 0 when none is named.
struct HostAndPort {
  std::string host;
  std::uint16_t port = 0;
};
[[nodiscard]] std::optional<HostAndPort> parse_host_and_port(std::string_view text);

// "example.org:443", "[::1]:80"; without the port when it is 0.
[[nodiscard]] std::string host_text(const std::string& host, std::uint16_t port);

// "HOST[:PORT],*.HOST[:PORT],...", at least one. Throws Error naming `option`.
[[nodiscard]] AllowList parse_allow_list(std::string_view text, std::string_view option);
[[nodiscard]] std::string allow_list_text(const AllowList& list);

// True if an entry stands for this canonical host and port. An address is only ever allowed by an
// entry that is that address.
[[nodiscard]] bool allows(const AllowList& list, const std::string& host, std::uint16_t port);

}  // namespace shadow::policy
