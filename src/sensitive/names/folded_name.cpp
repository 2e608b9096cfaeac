// SPDX-License-Identifier: MIT
#include "sensitive/names/folded_name.hpp"

#include "base/ignorable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace shadow::sensitive {

namespace {

// The full case folding (CaseFolding.txt, C and F) of one code point, where that is letters of
// ASCII alone, as casefold directories of ext4 and f2fs do it.
struct Folding {
  std::uint32_t point;
  std::string_view letters;
};
constexpr std::array<Folding, 12> kFoldings = {{{0xdf, "ss"},
                                                {0x130, "i"},
                                                {0x131, "i"},
                                                {0x17f, "s"},
                                                {0x1e9e, "ss"},
                                                {0x212a, "k"},
                                                {0xfb00, "ff"},
                                                {0xfb01, "fi"},
                                                {0xfb02, "fl"},
                                                {0xfb03, "ffi"},
                                                {0xfb04, "ffl"},
                                                {0xfb06, "st"}}};
constexpr std::uint32_t kLongStLigature = 0xfb05;

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
    const std::uint32_t point = code.value == kLongStLigature ? kLongStLigature + 1 : code.value;
    const auto folding = std::find_if(kFoldings.begin(), kFoldings.end(),
                                      [point](const Folding& one) { return one.point == point; });
    if (code.length > 1 && folding != kFoldings.end()) {
      folded += folding->letters;
    } else if (code.length == 1 || !is_default_ignorable(point)) {
      folded += path.substr(0, code.length);
    }
    path.remove_prefix(code.length);
  }
  drop_end(folded);
  return folded;
}

}  // namespace shadow::sensitive
