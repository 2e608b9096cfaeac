// SPDX-License-Identifier: MIT
// "1 path", "2 paths".

#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace shadow::cli {

[[nodiscard]] inline std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace shadow::cli
