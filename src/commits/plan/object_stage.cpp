// SPDX-License-Identifier: MIT
#include "commits/plan/object_stage.hpp"

#include "overlay/format/look.hpp"
#include "overlay/read/held_copies.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/files/quiet_open.hpp"

#include <memory>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::commits {

ObjectStage::ObjectStage(const session::ReviewSession& session, std::string objects,
                         const std::vector<std::string>& files)
    : staging_{session.state.path()}, objects_{std::move(objects)} {
  const sys::Fd top = sys::make_dirs(staging_.fd(), "objects", S_IRWXU);
  std::string parent;
  sys::Fd directory;
  for (const std::string& path : files) {
    const sys::Fd from = sys::try_open_quietly(session.upper.get(), path, O_RDONLY | O_NONBLOCK);
    if (!from || overlay::look_fd(from.get()).kind != EntryKind::File) {
      continue;
    }
    const auto at = sys::split_path(std::string_view{path}.substr(objects_.size() + 1));
    if (!directory || at.parent != parent) {
      parent = at.parent;
      directory = sys::make_dirs(top.get(), parent, S_IRWXU);
    }
    const sys::Fd to = sys::open_at(directory.get(), std::string{at.name},
                                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    sys::copy_contents(from.get(), to.get());
    files_.push_back(path);
  }
}

void ObjectStage::put_into(NewHistory& history) const {
  const sys::Fd top = sys::open_path(path(), O_RDONLY | O_DIRECTORY);
  const auto held = std::make_shared<overlay::HeldCopies>();
  for (const std::string& file : files_) {
    sys::Fd copy = sys::open_beneath(top.get(), file.substr(objects_.size() + 1), O_RDONLY);
    if (held->takes_into_memory(overlay::look_fd(copy.get()).size)) {
      history.texts.insert_or_assign(file, sys::read_all(copy.get()));
    } else {
      history.copies.insert_or_assign(file, held->keep_open(std::move(copy)));
    }
  }
  history.held = held;
}

}  // namespace shadow::commits
