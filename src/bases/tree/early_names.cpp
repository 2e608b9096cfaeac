// SPDX-License-Identifier: MIT
#include "bases/tree/early_names.hpp"

#include "shadow/error.hpp"

#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <utility>

#include <fcntl.h>

namespace shadow::bases {

namespace {

// The process has a bound on its memory.
constexpr std::size_t kMostNames = 100'000;

}  // namespace

void EarlyNames::list(int root, const std::string& directory, std::int64_t base_time_ns) try {
  const sys::Fd dir = sys::try_open_beneath(root, directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!dir) {
    return;
  }
  Listed listed;
  for (sys::DirEntry& entry : sys::list_dir(dir.get())) {
    listed.names.insert(std::move(entry.name));
  }
  // A name that comes or goes changes the directory's times.
  const Entry after = overlay::look_fd(dir.get());
  if (after.ctime_ns <= base_time_ns && listed.names.size() <= kMostNames - names_) {
    names_ += listed.names.size();
    listed.ino = after.ino;
    listed_.insert_or_assign(directory, std::move(listed));
  }
} catch (const Error&) {
  return;
}

const EarlyNames::Names* EarlyNames::find(const std::string& directory, std::uint64_t ino) const {
  const auto found = listed_.find(directory);
  return found != listed_.end() && found->second.ino == ino ? &found->second.names : nullptr;
}

bool EarlyNames::lacked(std::string_view path) const {
  while (!path.empty()) {
    const sys::SplitPath parts = sys::split_path(path);
    const auto found = listed_.find(parts.parent);
    if (found != listed_.end()) {
      return found->second.names.count(std::string{parts.name}) == 0;
    }
    path = parts.parent;
  }
  return false;
}

}  // namespace shadow::bases
