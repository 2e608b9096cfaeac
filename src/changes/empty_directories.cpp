// SPDX-License-Identifier: MIT
#include "changes/empty_directories.hpp"

#include "base/text.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include <fcntl.h>

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

bool holds_traces_alone(int upper, const std::string& directory) {
  const sys::Fd dir = sys::try_open_beneath(upper, directory, O_RDONLY | O_DIRECTORY);
  if (!dir) {
    return true;
  }
  const auto entries = overlay::list_upper(dir.get());
  return std::all_of(entries.begin(), entries.end(), [&](const overlay::UpperEntry& entry) {
    return entry.kind == overlay::UpperKind::Whiteout ||
           (entry.entry.kind == EntryKind::Directory &&
            overlay::is_copied_up(upper, sys::join_path(directory, entry.path)));
  });
}

bool is_empty_and_later(int upper, const std::string& directory, const Base& base) {
  const sys::Fd dir = sys::try_open_beneath(upper, directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!dir || !sys::is_empty_dir(dir.get())) {
    return false;
  }
  const std::int64_t made_ns = overlay::look_fd(dir.get()).btime_ns;
  return made_ns == 0 || made_ns >= base.entry().ctime_ns;
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

void leave_filled_again(ReviewSet& set) {
  std::set<std::string, std::less<>> filled;
  for (const ReviewItem& item : set.behind) {
    std::string_view inside = item.change.after.exists() ? "" : item.change.path;
    while (!inside.empty()) {
      inside = sys::split_path(inside).parent;
      if (!inside.empty() && !filled.emplace(inside).second) {
        break;  // those above are known, too
      }
    }
  }
  std::erase_if(set.items, [&filled](const ReviewItem& item) {
    return item.change.kind == ChangeKind::Deleted && filled.count(item.change.path) != 0;
  });
}

}  // namespace shadow::changes
