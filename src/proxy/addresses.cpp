// SPDX-License-Identifier: MIT
#include "proxy/addresses.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace shadow::proxy {
namespace {

// The registries of special-purpose addresses (RFC 6890 and its updates), and multicast.
struct Block4 {
  std::uint32_t prefix;
  unsigned bits;
};
constexpr std::array kSpecial4 = {
    Block4{0x00000000, 8},   // "this network"
    Block4{0x0a000000, 8},   // private
    Block4{0x64400000, 10},  // shared with a carrier
    Block4{0x7f000000, 8},   // loopback
    Block4{0xa9fe0000, 16},  // link-local; metadata services of clouds
    Block4{0xac100000, 12},  // private
    Block4{0xc0000000, 24},  // IETF protocols
    Block4{0xc0000200, 24},  // documentation
    Block4{0xc0586300, 24},  // 6to4 relays
    Block4{0xc0a80000, 16},  // private
    Block4{0xc6120000, 15},  // benchmarks
    Block4{0xc6336400, 24},  // documentation
    Block4{0xcb007100, 24},  // documentation
    Block4{0xe0000000, 3}    // multicast, reserved, broadcast
};

bool is_public4(std::uint32_t address) {
  constexpr unsigned kBits = 32;
  return std::none_of(kSpecial4.begin(), kSpecial4.end(), [address](const Block4& block) {
    const unsigned shift = kBits - block.bits;
    return (address >> shift) == (block.prefix >> shift);
  });
}

using Bytes6 = std::array<std::uint8_t, 16>;

std::uint32_t ipv4_at(const Bytes6& bytes, std::size_t at) {
  std::uint32_t network = 0;
  std::memcpy(&network, bytes.data() + at, sizeof network);
  return ntohl(network);
}

template <std::size_t kSize>
bool starts_with(const Bytes6& bytes, const std::array<std::uint8_t, kSize>& prefix) {
  return std::equal(prefix.begin(), prefix.end(), bytes.begin());
}

bool is_public6(const Bytes6& bytes) {
  constexpr std::array<std::uint8_t, 12> kNat64 = {0x00, 0x64, 0xff, 0x9b};
  constexpr std::array<std::uint8_t, 2> k6to4 = {0x20, 0x02};
  constexpr std::array<std::uint8_t, 4> kDocumentation = {0x20, 0x01, 0x0d, 0xb8};
  constexpr std::size_t kNat64Address = 12;
  constexpr std::size_t k6to4Address = 2;
  if (starts_with(bytes, kNat64)) {
    return is_public4(ipv4_at(bytes, kNat64Address));
  }
  if (starts_with(bytes, k6to4)) {
    return is_public4(ipv4_at(bytes, k6to4Address));
  }
  // Teredo and the protocols of 2001::/23 are no places to serve from.
  const bool protocols = bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] < 0x02;
  // Only 2000::/3 of the rest is assigned to the public (RFC 4291, 2.4).
  constexpr unsigned kTopBits = 0xe0;
  return (bytes[0] & kTopBits) == 0x20 && !protocols && !starts_with(bytes, kDocumentation);
}

}  // namespace

bool is_public(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, address, sizeof in);
    return is_public4(ntohl(in.sin_addr.s_addr));
  }
  if (address->sa_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, address, sizeof in);
    Bytes6 bytes{};
    std::memcpy(bytes.data(), &in.sin6_addr, bytes.size());
    return is_public6(bytes);
  }
  return false;
}

std::string address_text(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address->sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, address, sizeof in);
    ::inet_ntop(AF_INET, &in.sin_addr, text.data(), text.size());
  } else if (address->sa_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, address, sizeof in);
    ::inet_ntop(AF_INET6, &in.sin6_addr, text.data(), text.size());
  }
  return text.data();
}

}  // namespace shadow::proxy
