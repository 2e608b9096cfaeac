// SPDX-License-Identifier: MIT
#include "changes/hiding.hpp"

#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/shown_versions.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <utility>

#include <fcntl.h>

namespace shadow::changes {

// Below what is missing, or no directory, nothing is looked for: a deletion may be thousands deep.
const Hiding::Above& Hiding::above(std::string_view directory) const {
  if (const auto known = found_.find(directory); known != found_.end()) {
    return known->second;
  }
  if (directory.empty()) {
    return found_.emplace("", Above{"", overlay::look_fd(session_.upper.get())}).first->second;
  }
  const std::string_view parent = sys::split_path(directory).parent;
  const Above& up = above(parent);
  Above own = up;
  if (up.path == parent && up.entry.kind == EntryKind::Directory) {
    if (Entry entry = overlay::look_beneath(session_.upper.get(), directory); entry.exists()) {
      own = {std::string{directory}, std::move(entry)};
    }
  }
  return found_.emplace(directory, std::move(own)).first->second;
}

bool Hiding::came_after(const std::string& path, const Entry& real) const {
  const std::string_view parent = sys::split_path(path).parent;
  const Above& one = above(parent);
  if (one.path.empty() || one.entry.kind != EntryKind::Directory || one.entry.btime_ns == 0 ||
      real.ctime_ns <= one.entry.btime_ns ||
      (one.path == parent && overlay::look_beneath(session_.upper.get(), path).exists())) {
    return false;
  }
  const sys::Fd dir =
      sys::try_open_beneath(session_.upper.get(), one.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return dir && overlay::is_opaque(dir.get());
}

bool Hiding::was_no_directory(const std::string& path) const {
  const Above& one = above(sys::split_path(path).parent);
  if (!overlay::is_whiteout(one.entry)) {
    return false;
  }
  const auto is_no_directory = [](const Base& base) {
    return base.entry().kind == EntryKind::File || base.entry().kind == EntryKind::Symlink;
  };
  const auto base = store::find_base(*session_.db, session_.row.id, one.path);
  if (base && base->is_known()) {
    return is_no_directory(*base);
  }
  // No review has looked since: what a live view had shown there.
  const auto shown = store::shown_versions(*session_.db, session_.row.id, one.path);
  return std::any_of(shown.begin(), shown.end(), [&](const store::ShownVersion& version) {
    return is_no_directory(version.base);
  });
}

}  // namespace shadow::changes
