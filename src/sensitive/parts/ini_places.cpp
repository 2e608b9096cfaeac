// SPDX-License-Identifier: MIT
#include "sensitive/parts/ini_places.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cstddef>

namespace shadow::sensitive {

std::vector<std::string> places_of_ini(std::string_view text) {
  constexpr std::size_t kMost = 1'000;
  constexpr std::string_view kParts = ":, \t\r\"'";
  std::vector<std::string> found;
  for (const std::string& line : split(text, '\n')) {
    std::string_view value = line;
    value.remove_prefix(std::min(value.find('='), value.size()));
    while (!value.empty() && found.size() < kMost) {
      value.remove_prefix(1);
      const std::size_t end = std::min(value.find_first_of(kParts), value.size());
      std::string_view one = value.substr(0, end);
      while (one.starts_with("./")) {
        one.remove_prefix(2);
      }
      while (one.ends_with('/')) {
        one.remove_suffix(1);
      }
      if (!one.empty() && one != ".") {
        found.emplace_back(one);
      }
      value.remove_prefix(end);
    }
  }
  return found;
}

}  // namespace shadow::sensitive
