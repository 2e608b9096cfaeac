// SPDX-License-Identifier: MIT
// Long lists of words, written as one text.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace shadow::sandbox {

// True if the predicate holds for any of the words between blanks and ends of lines.
template <class Predicate>
bool any_word(std::string_view list, const Predicate& is) {
  for (std::size_t at = list.find_first_not_of(" \n"); at != std::string_view::npos;
       at = list.find_first_not_of(" \n", at)) {
    const std::size_t end = std::min(list.find_first_of(" \n", at), list.size());
    if (is(list.substr(at, end - at))) {
      return true;
    }
    at = end;
  }
  return false;
}

}  // namespace shadow::sandbox
