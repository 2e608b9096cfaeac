// SPDX-License-Identifier: MIT
// How git writes the names of objects and branches: gitrepository-layout(5), gitrevisions(7).

#pragma once

#include <cstddef>
#include <string_view>

namespace shadow::git {

// Of SHA-1, the only kind that libgit2 reads.
inline constexpr std::size_t kHexId = 40;

inline constexpr std::string_view kHeads = "refs/heads/";
inline constexpr std::string_view kTags = "refs/tags/";

// Whether it is the whole name of an object as git writes it, in lower case.
[[nodiscard]] constexpr bool is_object_id(std::string_view text) {
  return text.size() == kHexId &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace shadow::git
