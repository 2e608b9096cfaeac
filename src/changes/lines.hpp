// SPDX-License-Identifier: MIT
// Which changes are shown on a line of their own.

#pragma once

#include "shadow/review.hpp"

#include <cstdint>
#include <vector>

namespace shadow::changes {

// Whether the change is one of a directory: by what it leaves, or by what was there. Pure.
[[nodiscard]] bool is_directory(const Change& change);

// Whether an apply could take it. Pure.
[[nodiscard]] bool can_be_taken(const ReviewItem& item);

// How many lines that is for what an apply could take. Pure.
[[nodiscard]] std::uint64_t count_takeable(const std::vector<ReviewItem>& items);

}  // namespace shadow::changes
