// SPDX-License-Identifier: MIT
// Numbers with their nouns: "1 path", "2 paths".

#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace shadow::cli {

[[nodiscard]] inline std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// "2 changes and 1 git repository"; what there is none of is left out, unless there is nothing.
[[nodiscard]] inline std::string with_repositories(std::size_t changes, std::size_t repositories) {
  if (repositories == 0) {
    return plural(changes, "change");
  }
  return (changes == 0 ? "" : plural(changes, "change") + " and ") +
         fmt::format("{} git {}", repositories, repositories == 1 ? "repository" : "repositories");
}

}  // namespace shadow::cli
