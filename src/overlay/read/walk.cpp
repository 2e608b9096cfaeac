// SPDX-License-Identifier: MIT
#include "overlay/read/walk.hpp"

#include "shadow/error.hpp"

#include "base/scope_exit.hpp"
#include "base/text.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <functional>

#include <sys/stat.h>

namespace shadow::overlay {
namespace {

constexpr int kListed = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

// The number of deepest levels that keep their descriptors; the levels above are opened again when
// the walk returns to them. Each has at most two: well below the smallest limit that systems give
// (256).
constexpr std::size_t kOpenLevels = 64;

// Error values that mean "no directory of that name": gone, or something else by now.
bool means_absent(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

void check_opened(LayerDir& side, const std::string& path) {
  if (!side.dir && !means_absent(errno)) {
    throw_errno("open directory " + quoted(path));
  }
  side.present = static_cast<bool>(side.dir);
}

bool is_same_dir(int fd, const LayerDir& side) {
  struct stat st {};
  return ::fstat(fd, &st) == 0 && st.st_dev == side.dev && st.st_ino == side.ino;
}

void park_side(LayerDir& side) {
  struct stat st {};
  if (side.dir && ::fstat(side.dir.get(), &st) == 0) {
    side.dev = st.st_dev;
    side.ino = st.st_ino;
  }
  side.dir.reset();
}

// ".." costs the same at any depth, where a path of n components costs n steps. It is believed only
// when it leads to the directory that was parked; else the path decides.
void unpark_side(LayerDir& side, const LayerDir& below, int root, const std::string& path) {
  if (!side.present || side.dir) {
    return;
  }
  if (below.dir) {
    sys::Fd up = sys::try_open_at(below.dir.get(), "..", sys::kDirPath);
    if (up && is_same_dir(up.get(), side)) {
      side.dir = std::move(up);
      return;
    }
  }
  side.dir = sys::try_open_beneath(root, path, sys::kDirPath);
  check_opened(side, path);
}

void add_names(const LayerDir& side, std::vector<std::string>& names) {
  if (side.present) {
    for (sys::DirEntry& entry : sys::list_dir(side.dir.get())) {
      names.push_back(std::move(entry.name));
    }
  }
}

}  // namespace

void LevelStack::push(const std::string& name, In in, bool opaque) {
  const Level* above = levels_.empty() ? nullptr : &levels_.back();
  // In place: in a deep tree of long names a copy for each level would be most of the work.
  const std::size_t length_before = path_.size();
  ScopeExit undo{[&] { path_.resize(length_before); }};
  path_ += (path_.empty() || name.empty()) ? "" : "/";
  path_ += name;
  Level level;
  level.opaque = opaque;
  const auto open = [&](LayerDir& side, const LayerDir* from, int root, int flags) {
    if (from == nullptr) {
      side.dir = sys::try_open_beneath(root, {}, flags);
    } else if (from->present) {
      side.dir = sys::try_open_at(from->dir.get(), name, flags);
    } else {
      errno = ENOENT;
    }
    check_opened(side, path_);
  };
  if (in != In::Lower) {
    open(level.upper, above != nullptr ? &above->upper : nullptr, upper_, kListed);
  }
  // A lower that shows through is no change by itself; a hidden one is what was deleted.
  const bool hidden = opaque || in == In::Lower;
  if (in != In::Upper) {
    open(level.lower, above != nullptr ? &above->lower : nullptr, lower_,
         hidden ? kListed : sys::kDirPath);
  }
  add_names(level.upper, level.names);
  if (hidden) {
    add_names(level.lower, level.names);
  }
  std::sort(level.names.begin(), level.names.end(), std::greater<>{});
  level.names.erase(std::unique(level.names.begin(), level.names.end()), level.names.end());
  level.path_length = path_.size();
  levels_.push_back(std::move(level));
  undo.release();
  park();
}

void LevelStack::park() {
  if (levels_.size() > kOpenLevels) {
    Level& far = levels_[levels_.size() - kOpenLevels - 1];
    park_side(far.upper);
    park_side(far.lower);
  }
}

void LevelStack::pop() {
  const Level done = std::move(levels_.back());
  levels_.pop_back();
  if (levels_.empty()) {
    return;
  }
  Level& level = levels_.back();
  path_.resize(level.path_length);
  unpark_side(level.upper, done.upper, upper_, path_);
  unpark_side(level.lower, done.lower, lower_, path_);
}

bool is_too_deep(std::string_view path, std::string_view name) {
  return path.size() + 1 + name.size() >= PATH_MAX;
}

bool LevelStack::take_name(std::string& name) {
  std::vector<std::string>& names = levels_.back().names;
  if (names.empty()) {
    return false;
  }
  name = std::move(names.back());
  names.pop_back();
  return true;
}

}  // namespace shadow::overlay
