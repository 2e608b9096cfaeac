// SPDX-License-Identifier: MIT
// The position of a path, and of everything below it, among the items of a review, which are sorted
// by path.

#pragma once

#include "shadow/review.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::changes {

// Items that follow each other, the last one not included.
struct ItemRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] bool empty() const { return begin == end; }
};

[[nodiscard]] std::optional<std::size_t> find_item(const std::vector<ReviewItem>& items,
                                                   std::string_view path);

// The items below a path, found without looking at each.
[[nodiscard]] ItemRange items_below(const std::vector<ReviewItem>& items, const std::string& path);

// The first of these numbers that is in the range.
[[nodiscard]] std::optional<std::size_t> first_in(const std::set<std::size_t>& numbers,
                                                  const ItemRange& range);

}  // namespace shadow::changes
