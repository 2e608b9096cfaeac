// SPDX-License-Identifier: MIT
// BLAKE2b-256 (RFC 7693): where whoever chooses a content would gain by a second one of the same
// hash, as with what a person was shown. For all else there is hash.hpp, which is faster.
//
// Written out here because it is ninety lines that never change, with the RFC's own numbers as
// their test: the libraries at hand have none (libgit2 keeps its SHA-256 to itself), and one more
// of them would be loaded with every review. Nothing here is secret, so that no timing tells
// anything.

#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace shadow {

inline constexpr std::size_t kDigestBytes = 32;

// The raw bytes.
using Digest = std::array<char, kDigestBytes>;

// The digest of a stream of pieces.
class Digester {
 public:
  Digester();

  void update(std::string_view bytes);
  // Ends the stream.
  [[nodiscard]] Digest finish();

 private:
  static constexpr std::size_t kBlock = 128;
  static constexpr std::size_t kWords = 8;

  void compress(const char* block, bool last);

  std::array<std::uint64_t, kWords> state_{};
  std::array<char, kBlock> pending_{};
  std::size_t filled_ = 0;
  std::uint64_t total_ = 0;  // 2^64 bytes are more than any file has
};

[[nodiscard]] Digest digest_bytes(std::string_view bytes);

[[nodiscard]] inline std::string_view as_bytes(const Digest& digest) {
  return {digest.data(), digest.size()};
}

}  // namespace shadow
