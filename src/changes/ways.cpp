// SPDX-License-Identifier: MIT
#include "changes/ways.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace shadow::changes {

bool has_change_below(const std::vector<ReviewItem>& items, const std::string& directory) {
  const std::string below = directory + '/';
  auto at = std::lower_bound(
      items.begin(), items.end(), below,
      [](const ReviewItem& item, const std::string& path) { return item.change.path < path; });
  for (; at != items.end() && at->change.path.starts_with(below); ++at) {
    if (at->change.after.exists()) {
      return true;
    }
  }
  return false;
}

void leave_ways_to_nothing(const std::set<std::string>& ways, ReviewSet& set) {
  std::set<std::string> left;
  for (const std::string& way : ways) {
    if (!has_change_below(set.items, way)) {
      left.insert(way);
    }
  }
  std::erase_if(set.items, [&](ReviewItem& item) {
    if (left.count(item.change.path) == 0) {
      return false;
    }
    item.resolution = {};
    item.resolution.verdict = Verdict::Nothing;
    set.behind.push_back(std::move(item));
    return true;
  });
}

}  // namespace shadow::changes
