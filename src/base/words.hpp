// SPDX-License-Identifier: MIT
// A text or a word against a list of words. Pure.

#pragma once

#include <algorithm>
#include <string_view>

namespace shadow {

// True if one of the words is somewhere in the text.
template <typename Words>
[[nodiscard]] bool has_part(std::string_view text, const Words& words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// True if the word is one of them.
template <typename Words>
[[nodiscard]] bool is_one_of(std::string_view word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// True if the word ends with one of them.
template <typename Words>
[[nodiscard]] bool has_end(std::string_view word, const Words& words) {
  return std::any_of(words.begin(), words.end(),
                     [word](std::string_view end) { return word.ends_with(end); });
}

}  // namespace shadow
