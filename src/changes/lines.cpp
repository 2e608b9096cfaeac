// SPDX-License-Identifier: MIT
#include "changes/lines.hpp"

#include "base/text.hpp"

namespace shadow {

bool is_directory(const Change& change) {
  return (change.after.exists() ? change.after : change.before).kind == EntryKind::Directory;
}

std::vector<ReviewItem> worth_a_line(const std::vector<ReviewItem>& items) {
  std::vector<ReviewItem> lines;
  for (auto item = items.begin(); item != items.end(); ++item) {
    const bool whole_directory =
        is_directory(item->change) &&
        (item->change.kind == ChangeKind::Added || item->change.kind == ChangeKind::Deleted);
    const auto next = item + 1;
    if (whole_directory && next != items.end() &&
        is_at_or_below(next->change.path, item->change.path)) {
      continue;
    }
    lines.push_back(*item);
  }
  return lines;
}

}  // namespace shadow
