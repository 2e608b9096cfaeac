// SPDX-License-Identifier: MIT
// Code points for which nothing is drawn.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace shadow {

// Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties: variation selectors, fillers,
// joiners, bidirectional marks, tags. Some filesystems take a name without them for the same.
[[nodiscard]] constexpr bool is_default_ignorable(std::uint32_t point) {
  struct Range {
    std::uint32_t first;
    std::uint32_t last;
  };
  constexpr std::array<Range, 17> kRanges = {{{0xad, 0xad},
                                              {0x34f, 0x34f},
                                              {0x61c, 0x61c},
                                              {0x115f, 0x1160},
                                              {0x17b4, 0x17b5},
                                              {0x180b, 0x180f},
                                              {0x200b, 0x200f},
                                              {0x202a, 0x202e},
                                              {0x2060, 0x206f},
                                              {0x3164, 0x3164},
                                              {0xfe00, 0xfe0f},
                                              {0xfeff, 0xfeff},
                                              {0xffa0, 0xffa0},
                                              {0xfff0, 0xfff8},
                                              {0x1bca0, 0x1bca3},
                                              {0x1d173, 0x1d17a},
                                              {0xe0000, 0xe0fff}}};
  return point >= kRanges.front().first &&
         std::any_of(kRanges.begin(), kRanges.end(), [point](const Range& range) {
           return point >= range.first && point <= range.last;
         });
}

}  // namespace shadow
