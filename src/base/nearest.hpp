// SPDX-License-Identifier: MIT
// "Did you mean ...?"

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

// The candidate that differs by the fewest letters, when these are few enough for a misspelling:
// two that changed places count as one, and a short word has one.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& candidates);

// The candidates that begin with the word, where these are few; else the nearest one, if any.
[[nodiscard]] std::vector<std::string> begun_or_nearest(std::string_view word,
                                                        const std::vector<std::string>& candidates);

// "did you mean 'a', 'b' or 'c'?"; `words` has at least one.
[[nodiscard]] std::string did_you_mean(const std::vector<std::string>& words);

}  // namespace shadow
