// SPDX-License-Identifier: MIT
#include "overlay/walk.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/beneath.hpp"
#include "sys/dir.hpp"

#include <algorithm>
#include <cerrno>

namespace shadow::overlay {
namespace {

constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

// How many of the deepest levels keep their descriptors; those above are opened again by path when
// the walk comes back to them.
constexpr std::size_t kOpenLevels = 100;

// ENOENT, ENOTDIR, ELOOP: it is no directory any more. Everything else is trouble.
sys::Fd open_dir(int root, const std::string& path, const sys::Fd* parent) {
  const sys::SplitPath parts = sys::split_path(path);
  sys::Fd dir = parent != nullptr && *parent && !path.empty()
                    ? sys::try_open_at(parent->get(), std::string{parts.name}, kDirectory)
                    : sys::try_open_beneath(root, path, kDirectory);
  if (!dir && errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
    throw_errno("open directory " + quoted(path));
  }
  return dir;
}

}  // namespace

void LevelStack::open_sides(Level& level) {
  const Level* above = levels_.empty() ? nullptr : &levels_.back();
  if (level.in_upper && !level.upper) {
    level.upper = open_dir(upper_, level.path, above != nullptr ? &above->upper : nullptr);
  }
  if (level.in_lower && !level.lower) {
    level.lower = open_dir(lower_, level.path, above != nullptr ? &above->lower : nullptr);
  }
}

void LevelStack::list_names(Level& level) const {
  if (level.upper) {
    for (const sys::DirEntry& entry : sys::list_dir(level.upper.get())) {
      level.names.push_back(entry.name);
    }
  }
  // A lower that shows through says nothing by itself; a hidden one is what was deleted.
  if (level.lower && (level.opaque || !level.in_upper)) {
    for (const sys::DirEntry& entry : sys::list_dir(level.lower.get())) {
      level.names.push_back(entry.name);
    }
  }
  std::sort(level.names.begin(), level.names.end(), std::greater<>{});
  level.names.erase(std::unique(level.names.begin(), level.names.end()), level.names.end());
}

void LevelStack::push(Level level) {
  open_sides(level);
  list_names(level);
  levels_.push_back(std::move(level));
  park();
}

void LevelStack::park() {
  if (levels_.size() > kOpenLevels) {
    Level& far = levels_[levels_.size() - kOpenLevels - 1];
    far.upper.reset();
    far.lower.reset();
  }
}

Level& LevelStack::top() {
  Level& level = levels_.back();
  if (level.in_upper && !level.upper) {
    level.upper = open_dir(upper_, level.path, nullptr);
  }
  if (level.in_lower && !level.lower) {
    level.lower = open_dir(lower_, level.path, nullptr);
  }
  return level;
}

}  // namespace shadow::overlay
