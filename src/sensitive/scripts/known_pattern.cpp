// SPDX-License-Identifier: MIT
// All places of the known name are tried at once: Baeza-Yates and Gonnet, "A new approach to text
// searching" (1992). Place by place, a script of a megabyte took two seconds.
#include "sensitive/scripts/known_pattern.hpp"

#include <bit>

namespace shadow::sensitive {

KnownPattern::KnownPattern(std::string_view known) : end_{std::uint64_t{1} << known.size()} {
  std::uint64_t place = 1;
  for (const char c : known) {
    if (c == '*') {
      any_ |= place;
    } else if (c == '?') {
      word_ |= place;
    } else {
      at_.at(static_cast<unsigned char>(c)) |= place;
    }
    place <<= 1U;
  }
}

// "*" and "?" may stand for nothing.
std::uint64_t KnownPattern::with_empty_parts(std::uint64_t places) const {
  for (std::uint64_t more = places; more != 0;) {
    more = (more >> 1U) & (any_ | word_) & ~places;
    places |= more;
  }
  return places;
}

bool KnownPattern::may_be(std::string_view name) const {
  // Where the known name may go on with what is left of the other one, which is taken from its end.
  std::uint64_t fits = with_empty_parts(end_);
  for (auto c = name.rbegin(); c != name.rend() && fits != 0; ++c) {
    if (*c == '*') {
      fits = (std::bit_floor(fits) << 1U) - 1;  // at each place before one that fits
    } else {
      const std::uint64_t held = fits & (*c == '_' ? any_ : any_ | word_);
      fits = with_empty_parts(((fits >> 1U) & at_.at(static_cast<unsigned char>(*c))) | held);
    }
  }
  return (fits & 1U) != 0;
}

}  // namespace shadow::sensitive
