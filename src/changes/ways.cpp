// SPDX-License-Identifier: MIT
#include "changes/ways.hpp"

#include "base/text.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/xattr.hpp"
#include "sys/namespaces/acl.hpp"

#include <algorithm>
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

bool may_have_projects_rights(const Change& change, bool copied_up, std::int64_t base_time_ns) {
  const Entry& real = change.before;
  if (real.kind != EntryKind::Directory || change.after.kind != EntryKind::Directory) {
    return false;
  }
  return copied_up ? real.ctime_ns > base_time_ns && real.ctime_ns >= change.after.btime_ns
                   : real.btime_ns == 0 || real.btime_ns > base_time_ns;
}

bool may_lose_acl(int lower, const Change& change, const Base* base) {
  const bool since = base == nullptr || change.before.ctime_ns > base->entry().ctime_ns;
  if (!since || !change.acl_changed || change.before.kind != EntryKind::Directory ||
      change.after.kind != EntryKind::Directory || change.before.mode != change.after.mode) {
    return false;
  }
  const sys::Fd dir = sys::try_open_beneath(lower, change.path, O_RDONLY | O_DIRECTORY);
  return !dir || sys::get_xattr(dir.get(), sys::kAccessAcl) ||
         sys::get_xattr(dir.get(), sys::kDefaultAcl);
}

}  // namespace shadow::changes
