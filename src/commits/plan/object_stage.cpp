// SPDX-License-Identifier: MIT
#include "commits/plan/object_stage.hpp"

#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"
#include "sys/files/quiet_open.hpp"
#include "sys/processes/process.hpp"

#include <memory>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::commits {

ObjectStage::ObjectStage(const session::ReviewSession& session, const std::string& objects,
                         const std::vector<std::string>& files)
    : staging_{session.state.path()}, objects_{objects} {
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
  // Small copies lie in memory: there may be few descriptors.
  constexpr std::uint64_t kSmall = std::uint64_t{64} << 10U;
  constexpr std::uint64_t kMostInMemory = std::uint64_t{256} << 20U;
  const sys::Fd top = sys::open_path(path(), O_RDONLY | O_DIRECTORY);
  const auto held = std::make_shared<std::vector<sys::Fd>>();
  std::uint64_t in_memory = 0;
  for (const std::string& file : files_) {
    sys::Fd copy = sys::open_beneath(top.get(), file.substr(objects_.size() + 1), O_RDONLY);
    const std::uint64_t size = overlay::look_fd(copy.get()).size;
    if (size <= kSmall && in_memory + size <= kMostInMemory) {
      history.texts.insert_or_assign(file, sys::read_all(copy.get()));
      in_memory += size;
      continue;
    }
    constexpr std::size_t kFewDescriptors = 64;
    if (held->size() == kFewDescriptors) {
      sys::allow_all_descriptors();
    }
    history.copies.insert_or_assign(file, copy.get());
    held->push_back(std::move(copy));
  }
  history.held = held;
}

}  // namespace shadow::commits
