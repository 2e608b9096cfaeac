// SPDX-License-Identifier: MIT
#include "changes/moves/move_sides.hpp"

#include "sys/files/beneath.hpp"

#include <utility>

#include <fcntl.h>

namespace shadow::changes {

bool may_be_new_name(const ReviewItem& item) {
  return item.change.kind == ChangeKind::Added && item.drift == Drift::None &&
         item.standing != Standing::GitDir && item.change.after.kind == EntryKind::File &&
         item.change.link_to.empty();
}

bool is_readable(int root, const std::string& path) {
  return static_cast<bool>(sys::try_open_beneath(root, path, O_RDONLY | O_NONBLOCK));
}

PatchFile added_side(const session::ReviewSession& session, const Change& change) {
  PatchFile file;
  file.path = change.path;
  file.after = change.after;
  file.after_content = {session.upper.get(), change.path, {}};
  return file;
}

PatchFile real_side(const session::ReviewSession& session, const Change& change) {
  PatchFile file;
  file.path = change.path;
  file.before = change.before;
  file.before_content = {session.lower.get(), change.path, {}};
  return file;
}

PatchFile deleted_side(std::string path, const Entry& base, std::string text) {
  PatchFile file;
  file.path = std::move(path);
  file.before = base;
  file.before.ino = 0;  // the bytes are not those of the inode any more
  file.before_content = {-1, {}, std::move(text)};
  return file;
}

}  // namespace shadow::changes
