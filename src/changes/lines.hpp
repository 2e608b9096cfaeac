// SPDX-License-Identifier: MIT
// Which changes are shown on a line of their own.

#pragma once

#include "shadow/review.hpp"

#include <cstdint>
#include <vector>

namespace shadow::changes {

// Whether the change is one of a directory: by what it leaves, or by what was there. Pure.
[[nodiscard]] bool is_directory(const Change& change);

// Whether everybody may write to what the change makes new. Pure.
[[nodiscard]] bool is_new_to_everybody(const Change& change);

// The items of a review that are worth a line: a directory that was added or deleted is shown by
// what is in it, unless it is empty or its rights are more than the usual. Pure.
[[nodiscard]] std::vector<ReviewItem> worth_a_line(std::vector<ReviewItem> items);

// Whether an apply could take it. Pure.
[[nodiscard]] bool can_be_taken(const ReviewItem& item);

// How many lines that is for what an apply could take. Pure.
[[nodiscard]] std::uint64_t count_takeable(const std::vector<ReviewItem>& items);

}  // namespace shadow::changes
