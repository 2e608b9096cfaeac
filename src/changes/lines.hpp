// SPDX-License-Identifier: MIT
// Which changes are told by a line of their own.

#pragma once

#include "shadow/review.hpp"

#include <vector>

namespace shadow {

// Whether the change is one of a directory: by what it leaves, or by what was there. Pure.
[[nodiscard]] bool is_directory(const Change& change);

// The items of a review that are worth a line: a directory that was added or deleted is told by
// what is in it, unless it is empty. Pure.
[[nodiscard]] std::vector<ReviewItem> worth_a_line(const std::vector<ReviewItem>& items);

}  // namespace shadow
