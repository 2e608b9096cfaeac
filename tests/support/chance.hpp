// SPDX-License-Identifier: MIT
// Chance that can be repeated: SHADOW_TEST_SEED sets the seed, SHADOW_TEST_ROUNDS the number of
// rounds.

#pragma once

#include "sys/processes/process.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>

namespace shadow::test {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_{seed} {}

  // 0 to n-1.
  std::size_t below(std::size_t n) { return engine_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  const auto& any(const List& list) {
    return *std::next(list.begin(), static_cast<std::ptrdiff_t>(below(list.size())));
  }

 private:
  std::mt19937_64 engine_;
};

inline std::uint64_t first_seed() {
  const auto named = sys::environment("SHADOW_TEST_SEED");
  return named ? std::stoull(*named) : std::random_device{}();
}

inline std::size_t rounds(std::size_t usual) {
  const auto named = sys::environment("SHADOW_TEST_ROUNDS");
  return named ? std::stoull(*named) : usual;
}

}  // namespace shadow::test
