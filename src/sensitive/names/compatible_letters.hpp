// SPDX-License-Identifier: MIT
// Code points that a filesystem may take for letters of ASCII: made by data/compatible_letters.py.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace shadow::sensitive {

// From `first` to `last`, of which the first stands for `letters`. Of more than one code point the
// letter is one, and each further one stands for the next of ASCII.
struct CompatibleLetters {
  std::uint32_t first;
  std::uint32_t last;
  std::string_view letters;
};

// Sorted by code point.
[[nodiscard]] std::span<const CompatibleLetters> compatible_letters();

}  // namespace shadow::sensitive
