// SPDX-License-Identifier: MIT
#include "sensitive/folded_name.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace shadow {

namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties.
constexpr std::array<Range, 17> kNothing = {{{0xad, 0xad},
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
constexpr std::uint32_t kLongS = 0x17f;
constexpr std::uint32_t kKelvin = 0x212a;

struct Code {
  std::uint32_t value = 0;
  std::size_t length = 1;  // bytes
};

// The code point at the start; a byte that begins none stands for itself.
Code first_code(std::string_view text) {
  constexpr unsigned kTail = 0x3f;
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (length == 1 || text.size() < length) {
    return {lead, 1};
  }
  std::uint32_t value = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    value = (value << 6U) | (static_cast<unsigned char>(text[i]) & kTail);
  }
  return {value, length};
}

void drop_end(std::string& folded) {
  const std::size_t begin = folded.rfind('/') + 1;  // 0 when there is none
  const std::size_t kept = folded.find_last_not_of(" .");
  if (kept != std::string::npos && kept >= begin) {
    folded.erase(kept + 1);
  }
}

}  // namespace

std::string folded_name(std::string_view path) {
  std::string folded;
  folded.reserve(path.size());
  while (!path.empty()) {
    const char c = path.front();
    if (static_cast<unsigned char>(c) < 0x80) {
      if (c == '/') {
        drop_end(folded);
      }
      folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      path.remove_prefix(1);
      continue;
    }
    const Code code = first_code(path);
    const bool nothing = std::any_of(kNothing.begin(), kNothing.end(), [code](const Range& range) {
      return code.value >= range.first && code.value <= range.last && code.length > 1;
    });
    if (code.value == kLongS || code.value == kKelvin) {
      folded += code.value == kLongS ? 's' : 'k';
    } else if (!nothing) {
      folded += path.substr(0, code.length);
    }
    path.remove_prefix(code.length);
  }
  drop_end(folded);
  return folded;
}

}  // namespace shadow
