// SPDX-License-Identifier: MIT
#include "base/hash.hpp"

#include <fmt/format.h>

#include <charconv>
#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace shadow {

struct Hasher::State {
  XXH3_state_t xxh;
};

Hasher::Hasher() : state_{std::make_unique<State>()} {
  XXH3_128bits_reset(&state_->xxh);
}
Hasher::~Hasher() = default;

void Hasher::update(std::string_view bytes) {
  XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

Hash128 Hasher::digest() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
  return {hash.high64, hash.low64};
}

Hash128 hash_bytes(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::string to_hex(Hash128 hash) {
  return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

std::optional<Hash128> hash_from_hex(std::string_view hex) {
  constexpr std::size_t kHalf = 16;
  if (hex.size() != 2 * kHalf ||
      hex.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
    return std::nullopt;
  }
  Hash128 hash;
  std::from_chars(hex.data(), hex.data() + kHalf, hash.high, 16);
  std::from_chars(hex.data() + kHalf, hex.data() + 2 * kHalf, hash.low, 16);
  return hash;
}

}  // namespace shadow
