// SPDX-License-Identifier: MIT
#include "overlay/read/nearest_entries.hpp"

#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"

#include <utility>

namespace shadow::overlay {

NearestEntries::Found NearestEntries::look(std::string_view path) const {
  const std::string_view parent = sys::split_path(path).parent;
  const Found& up = above(parent);
  if (up.path == parent && up.entry.kind == EntryKind::Directory) {
    if (Entry entry = look_beneath(upper_, path); entry.exists()) {
      return {std::string{path}, std::move(entry)};
    }
  }
  return up;
}

const NearestEntries::Found& NearestEntries::above(std::string_view directory) const {
  if (const auto known = known_.find(directory); known != known_.end()) {
    return known->second;
  }
  Found found = directory.empty() ? Found{"", look_fd(upper_)} : look(directory);
  return known_.emplace(directory, std::move(found)).first->second;
}

}  // namespace shadow::overlay
