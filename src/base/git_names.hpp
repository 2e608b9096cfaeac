// SPDX-License-Identifier: MIT
// Names of objects and branches as git writes them: gitrepository-layout(5), gitrevisions(7).

#pragma once

#include <cstddef>
#include <string_view>

namespace shadow::git {

// Digits of a SHA-1 id, the only kind that libgit2 reads.
inline constexpr std::size_t kHexId = 40;

// Below it shadow keeps commits of sessions that no branch of the project has.
inline constexpr std::string_view kShadow = "refs/shadow/";
inline constexpr std::string_view kHeads = "refs/heads/";
inline constexpr std::string_view kTags = "refs/tags/";

// True for the whole name of an object as git writes it, in lower case.
[[nodiscard]] constexpr bool is_object_id(std::string_view text) {
  return text.size() == kHexId &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace shadow::git
