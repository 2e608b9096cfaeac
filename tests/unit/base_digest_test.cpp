// SPDX-License-Identifier: MIT
#include "base/digest.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

using shadow::Digest;
using shadow::Digester;

namespace {

std::string hex(const Digest& digest) {
  std::string text;
  for (const char byte : digest) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

// The bytes 0, 1, ... 250, 0, 1, ...
std::string counting(std::size_t length) {
  constexpr std::size_t kPrime = 251;
  std::string bytes(length, '\0');
  for (std::size_t i = 0; i < length; ++i) {
    bytes[i] = static_cast<char>(i % kPrime);
  }
  return bytes;
}

}  // namespace

TEST_CASE("the digest is BLAKE2b-256, as others compute it") {
  CHECK(hex(shadow::digest_bytes("")) ==
        "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  CHECK(hex(shadow::digest_bytes("abc")) ==
        "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  // hashlib.blake2b of Python over the digests of all lengths up to eight blocks.
  Digester all;
  for (std::size_t length = 0; length <= 1024; ++length) {
    all.update(shadow::as_bytes(shadow::digest_bytes(counting(length))));
  }
  CHECK(hex(all.finish()) == "2a21f91283a09c2ece0b57af3ea8334825cf70576156bbe682fd63b5d7bb62c7");
}

TEST_CASE("it is the same in whatever pieces the bytes come") {
  const std::string bytes = counting(1000);
  const Digest whole = shadow::digest_bytes(bytes);
  for (const std::size_t piece : {1U, 7U, 127U, 128U, 129U, 256U, 999U}) {
    Digester digester;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      digester.update(std::string_view{bytes}.substr(at, piece));
      digester.update("");
    }
    CHECK(digester.finish() == whole);
  }
}
