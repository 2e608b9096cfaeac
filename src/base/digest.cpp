// SPDX-License-Identifier: MIT
#include "base/digest.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace shadow {
namespace {

// RFC 7693, section 2.6.
constexpr std::array<std::uint64_t, 8> kStart = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

// Section 2.7: the order of the message's words in each round; the last two are the first two.
constexpr std::size_t kMessageWords = 16;
constexpr std::array<std::array<std::uint8_t, kMessageWords>, 12> kOrder = {{
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
}};

std::uint64_t little_endian(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
  }
  return word;
}

using Work = std::array<std::uint64_t, 16>;

// Section 3.1.
inline void mix(Work& v, std::size_t a, std::size_t b, std::size_t c, std::size_t d,
                std::uint64_t x, std::uint64_t y) {
  v[a] = v[a] + v[b] + x;
  v[d] = std::rotr(v[d] ^ v[a], 32);
  v[c] = v[c] + v[d];
  v[b] = std::rotr(v[b] ^ v[c], 24);
  v[a] = v[a] + v[b] + y;
  v[d] = std::rotr(v[d] ^ v[a], 16);
  v[c] = v[c] + v[d];
  v[b] = std::rotr(v[b] ^ v[c], 63);
}

}  // namespace

Digester::Digester() : state_{kStart} {
  // Section 2.5: the digest's length, no key, fan-out and depth 1.
  state_[0] ^= 0x01010000 ^ kDigestBytes;
}

// Section 3.2.
void Digester::compress(const char* block, bool last) {
  std::array<std::uint64_t, kMessageWords> m{};
  for (std::size_t i = 0; i < m.size(); ++i) {
    m[i] = little_endian(block + i * sizeof m[i]);
  }
  Work v{};
  std::copy(state_.begin(), state_.end(), v.begin());
  std::copy(kStart.begin(), kStart.end(), v.begin() + kWords);
  v[12] ^= total_;
  if (last) {
    v[14] = ~v[14];
  }
  for (const auto& s : kOrder) {
    mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
    mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
    mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
    mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
    mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
    mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
    mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
    mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
  }
  for (std::size_t i = 0; i < kWords; ++i) {
    state_[i] ^= v[i] ^ v[i + kWords];
  }
}

void Digester::update(std::string_view bytes) {
  // A block is done when it is known that it is not the last one.
  while (!bytes.empty()) {
    if (filled_ == kBlock) {
      total_ += kBlock;
      compress(pending_.data(), false);
      filled_ = 0;
    }
    for (; filled_ == 0 && bytes.size() > kBlock; bytes.remove_prefix(kBlock)) {
      total_ += kBlock;
      compress(bytes.data(), false);
    }
    const std::size_t taken = bytes.copy(pending_.data() + filled_, kBlock - filled_);
    filled_ += taken;
    bytes.remove_prefix(taken);
  }
}

Digest Digester::finish() {
  total_ += filled_;
  std::fill(pending_.begin() + static_cast<std::ptrdiff_t>(filled_), pending_.end(), '\0');
  compress(pending_.data(), true);
  Digest digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    constexpr unsigned kBits = 8;
    const std::uint64_t word = state_[i / sizeof(std::uint64_t)];
    digest[i] = static_cast<char>(word >> (kBits * (i % sizeof(std::uint64_t))) & 0xffU);
  }
  return digest;
}

Digest digest_bytes(std::string_view bytes) {
  Digester digester;
  digester.update(bytes);
  return digester.finish();
}

}  // namespace shadow
