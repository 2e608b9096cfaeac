// SPDX-License-Identifier: MIT
// Letters and digits without a locale.

#pragma once

#include <string>
#include <string_view>

namespace shadow {

[[nodiscard]] constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] constexpr char ascii_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

[[nodiscard]] constexpr bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// The text with the letters A to Z made small; other bytes stay.
[[nodiscard]] inline std::string lower_ascii(std::string_view text) {
  std::string lower{text};
  for (char& c : lower) {
    c = ascii_lower(c);
  }
  return lower;
}

// The same the other way round.
[[nodiscard]] inline std::string upper_ascii(std::string_view text) {
  std::string upper{text};
  for (char& c : upper) {
    c = ascii_upper(c);
  }
  return upper;
}

}  // namespace shadow
