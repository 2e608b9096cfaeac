// SPDX-License-Identifier: MIT
// XXH3-128: decides whether contents are equal, names blobs and sessions. Not a cryptographic hash;
// wherever an attacker gains by a collision, contents are compared as well.

#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace shadow {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const Hash128&) const = default;
};

[[nodiscard]] Hash128 hash_bytes(std::string_view bytes);

// 32 lower-case hex digits, and back (nullopt for anything else).
[[nodiscard]] std::string to_hex(Hash128 hash);
[[nodiscard]] std::optional<Hash128> hash_from_hex(std::string_view hex);

// The same hash over a stream of pieces.
class Hasher {
 public:
  Hasher();
  Hasher(const Hasher&) = delete;
  Hasher(Hasher&&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  Hasher& operator=(Hasher&&) = delete;
  ~Hasher();

  void update(std::string_view bytes);
  [[nodiscard]] Hash128 digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shadow
