// SPDX-License-Identifier: MIT
#include "sensitive/names/folded_name.hpp"

#include "base/ignorable.hpp"
#include "sensitive/names/compatible_letters.hpp"

#include <algorithm>
#include <cstdint>

namespace shadow::sensitive {

namespace {

// Those that stand for a code point; nullptr when it is not one of the table.
const CompatibleLetters* find_letters(std::uint32_t point) {
  const auto all = compatible_letters();
  const auto found = std::lower_bound(
      all.begin(), all.end(), point,
      [](const CompatibleLetters& one, std::uint32_t value) { return one.last < value; });
  return found != all.end() && found->first <= point ? &*found : nullptr;
}

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
    const CompatibleLetters* letters = code.length > 1 ? find_letters(code.value) : nullptr;
    if (letters != nullptr && letters->first < letters->last) {
      folded += static_cast<char>(static_cast<std::uint32_t>(letters->letters.front()) +
                                  code.value - letters->first);
    } else if (letters != nullptr) {
      folded += letters->letters;
    } else if (code.length == 1 || !is_default_ignorable(code.value)) {
      folded += path.substr(0, code.length);
    }
    path.remove_prefix(code.length);
  }
  drop_end(folded);
  return folded;
}

}  // namespace shadow::sensitive
