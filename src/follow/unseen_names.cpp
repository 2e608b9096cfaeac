// SPDX-License-Identifier: MIT
#include "follow/unseen_names.hpp"

#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"

#include <cstddef>
#include <iterator>
#include <string_view>

namespace shadow::follow {

// From the top: of most names the upper has not even the first directory.
bool hides(int upper, const std::string& path) {
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const std::string_view at = std::string_view{path}.substr(0, end);
    const Entry own = overlay::look_beneath(upper, at);
    if (!own.exists() || end == std::string::npos) {
      return own.exists();
    }
    if (own.kind != EntryKind::Directory || overlay::is_opaque_directory(upper, at)) {
      return true;
    }
  }
}

void UnseenNames::add_some(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 100;
  for (auto name = names.begin(); name != names.end() && names_.size() < kMost; ++name) {
    names_.insert(*name);
  }
}

void UnseenNames::forget_seen(int view) {
  for (auto name = names_.begin(); name != names_.end();) {
    name = is_seen(view, *name) ? names_.erase(name) : std::next(name);
  }
}

bool UnseenNames::is_seen(int view, const std::string& name) const {
  if (hides(upper_, name)) {
    return true;
  }
  // A rename gives what it replaces the same change time, but one name less.
  const Entry real = overlay::look_beneath(lower_, name);
  const Entry there = overlay::look_beneath(view, name);
  return there.kind == real.kind && there.ctime_ns == real.ctime_ns &&
         there.mtime_ns == real.mtime_ns && there.size == real.size && there.nlink == real.nlink;
}

}  // namespace shadow::follow
