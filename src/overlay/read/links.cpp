// SPDX-License-Identifier: MIT
#include "overlay/read/links.hpp"

#include <algorithm>
#include <tuple>

namespace shadow::overlay {

void HardLinks::note(const std::string& path, const Entry& entry, LinkedPath how) {
  if (entry.kind == EntryKind::File && entry.nlink > 1) {
    groups_[{entry.dev, entry.ino}].push_back({path, how});
  }
}

void HardLinks::resolve(ChangeSet& set) const {
  for (const auto& [inode, members] : groups_) {
    const auto first =
        std::min_element(members.begin(), members.end(), [](const Member& a, const Member& b) {
          const bool a_changed = a.how == LinkedPath::Changed;
          const bool b_changed = b.how == LinkedPath::Changed;
          return std::tie(a_changed, a.path) < std::tie(b_changed, b.path);
        });
    for (const Member& member : members) {
      if (member.path == first->path || member.how == LinkedPath::Same) {
        continue;
      }
      const auto change =
          std::lower_bound(set.changes.begin(), set.changes.end(), member.path,
                           [](const Change& c, const std::string& path) { return c.path < path; });
      if (change != set.changes.end() && change->path == member.path) {
        change->link_to = first->path;
      }
    }
  }
}

}  // namespace shadow::overlay
