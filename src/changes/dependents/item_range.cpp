// SPDX-License-Identifier: MIT
#include "changes/dependents/item_range.hpp"

#include <algorithm>

namespace shadow::changes {

std::optional<std::size_t> find_item(const std::vector<ReviewItem>& items, std::string_view path) {
  const auto found = std::lower_bound(items.begin(), items.end(), path,
                                      [](const ReviewItem& item, std::string_view wanted) {
                                        return std::string_view{item.change.path} < wanted;
                                      });
  if (found == items.end() || found->change.path != path) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - items.begin());
}

ItemRange items_below(const std::vector<ReviewItem>& items, const std::string& path) {
  // In the order of bytes "d-x" comes between "d" and "d/x".
  const std::string start = path + '/';
  const auto first = std::lower_bound(
      items.begin(), items.end(), start,
      [](const ReviewItem& item, const std::string& wanted) { return item.change.path < wanted; });
  const auto last = std::partition_point(first, items.end(), [&start](const ReviewItem& item) {
    return item.change.path.starts_with(start);
  });
  return {static_cast<std::size_t>(first - items.begin()),
          static_cast<std::size_t>(last - items.begin())};
}

std::optional<std::size_t> first_in(const std::set<std::size_t>& numbers, const ItemRange& range) {
  const auto at = numbers.lower_bound(range.begin);
  return at != numbers.end() && *at < range.end ? std::optional{*at} : std::nullopt;
}

}  // namespace shadow::changes
