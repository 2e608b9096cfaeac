// SPDX-License-Identifier: MIT
// Letters without locale.

#pragma once

#include <string>
#include <string_view>

namespace shadow {

// With the letters A to Z made small; other bytes stay.
[[nodiscard]] inline std::string lower_ascii(std::string_view text) {
  std::string lower{text};
  for (char& c : lower) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return lower;
}

}  // namespace shadow
