// SPDX-License-Identifier: MIT
// Which changes are shown on a line of their own.

#pragma once

#include "shadow/review.hpp"

#include <cstdint>
#include <vector>

namespace shadow::changes {

// True if the change is one of a directory, by the new or the old entry. Pure.
[[nodiscard]] bool is_directory(const Change& change);

// True if an apply could write it. Pure.
[[nodiscard]] bool can_be_taken(const ReviewItem& item);

// The number of lines for the changes that an apply could write. Pure.
[[nodiscard]] std::uint64_t count_takeable(const std::vector<ReviewItem>& items);

}  // namespace shadow::changes
