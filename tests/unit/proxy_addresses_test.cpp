// SPDX-License-Identifier: MIT
#include "proxy/addresses.hpp"

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <netinet/in.h>

using shadow::proxy::address_text;
using shadow::proxy::is_public;

namespace {

struct Address {
  sockaddr_storage storage{};

  explicit Address(const char* text) {
    auto* v4 = reinterpret_cast<sockaddr_in*>(&storage);
    auto* v6 = reinterpret_cast<sockaddr_in6*>(&storage);
    if (::inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
      storage.ss_family = AF_INET;
    } else if (::inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
      storage.ss_family = AF_INET6;
    }
  }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

}  // namespace

TEST_SUITE("proxy/addresses") {
  TEST_CASE("addresses of the Internet are public") {
    for (const char* text :
         {"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "128.0.0.1",
          "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
          "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2001:200::1",
          "64:ff9b::1.1.1.1", "2002:101:101::1"}) {
      CAPTURE(text);
      CHECK(is_public(Address{text}.get()));
      CHECK(!address_text(Address{text}.get()).empty());
    }
  }

  TEST_CASE("addresses of a host or of a network of its own are not, in whatever dress") {
    for (const char* text : {"0.0.0.0",
                             "0.1.2.3",
                             "10.0.0.1",
                             "100.64.0.1",
                             "127.0.0.1",
                             "127.255.255.255",
                             "169.254.169.254",
                             "172.16.0.1",
                             "172.31.255.255",
                             "192.0.0.1",
                             "192.0.2.1",
                             "192.88.99.1",
                             "192.168.1.1",
                             "198.18.0.1",
                             "198.19.255.255",
                             "198.51.100.1",
                             "203.0.113.1",
                             "224.0.0.1",
                             "239.255.255.255",
                             "240.0.0.1",
                             "255.255.255.255",
                             "::",
                             "::1",
                             "::127.0.0.1",
                             "::ffff:127.0.0.1",
                             "::ffff:1.1.1.1",
                             "64:ff9b::127.0.0.1",
                             "64:ff9b::a00:1",
                             "64:ff9b:1::1",
                             "100::1",
                             "2001::1",
                             "2001:db8::1",
                             "2002:7f00:1::1",
                             "2002:a00:1::1",
                             "fc00::1",
                             "fd00::1",
                             "fe80::1",
                             "fec0::1",
                             "ff02::1"}) {
      CAPTURE(text);
      CHECK(!is_public(Address{text}.get()));
    }
  }

  TEST_CASE("other families are nothing to connect to") {
    sockaddr_storage other{};
    other.ss_family = AF_UNIX;
    CHECK(!is_public(reinterpret_cast<const sockaddr*>(&other)));
    CHECK(address_text(reinterpret_cast<const sockaddr*>(&other)).empty());
  }
}
