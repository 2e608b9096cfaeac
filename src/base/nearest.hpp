// SPDX-License-Identifier: MIT
// "Did you mean ...?"

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

// The candidate that differs by the fewest letters, when these are few enough for a misspelling.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& candidates);

}  // namespace shadow
