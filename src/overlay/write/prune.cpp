// SPDX-License-Identifier: MIT
#include "overlay/write/prune.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/text.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/compare.hpp"
#include "overlay/write/lift.hpp"
#include "overlay/write/writable.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::overlay {
namespace {

class Pruner {
 public:
  Pruner(int upper, int lower, const BeforeRemoval& before)
      : upper_{upper}, lower_{lower}, before_{before} {}

  // Takes the entry at `path` out when it is redundant, and then its parents likewise.
  void consider(std::string path) {
    while (!path.empty()) {
      enter(sys::split_path(path).parent);
      if (!is_redundant(path)) {
        return;
      }
      remove(path);
      path = parent_;
      go_up();
    }
  }

  // The hard links that `consider` put off: names of one inode go together or stay together, else
  // one that is written to later would leave the others behind.
  void remove_link_groups() {
    for (const auto& [inode, group] : std::exchange(groups_, {})) {
      if (group.paths.size() == group.nlink) {
        for (const std::string& path : group.paths) {
          enter(sys::split_path(path).parent);
          remove(path);
          consider(parent_);
        }
      }
    }
  }

 private:
  struct LinkGroup {
    std::vector<std::string> paths;
    std::uint64_t nlink = 0;
  };

  // Neighbours in the order of paths have the same parent: its descriptors are kept.
  void enter(std::string_view parent) {
    if (!upper_dir_ || parent != parent_) {
      parent_ = std::string{parent};
      upper_dir_ = sys::try_open_beneath(upper_, parent_, sys::kDirPath);
      lower_dir_ = sys::try_open_beneath(lower_, parent_, sys::kDirPath);
    }
  }

  // From a directory to the one that holds it, without walking the whole path again, when ".."
  // leads there: it has this directory under its name.
  void go_up() {
    const sys::SplitPath parts = sys::split_path(parent_);
    const std::string name{parts.name};
    sys::Fd upper = parent_of(upper_dir_, name);
    sys::Fd lower = parent_of(lower_dir_, name);
    if (upper && lower) {
      upper_dir_ = std::move(upper);
      lower_dir_ = std::move(lower);
      parent_ = std::string{parts.parent};
    }
  }

  static sys::Fd parent_of(const sys::Fd& dir, const std::string& name) {
    sys::Fd parent = dir ? sys::try_open_at(dir.get(), "..", sys::kDirPath) : sys::Fd{};
    const bool right =
        parent && !name.empty() && look_at(parent.get(), name).ino == look_fd(dir.get()).ino;
    return right ? std::move(parent) : sys::Fd{};
  }

  // True if the view stays the same without the upper's entry. Its parents merge with the lower's.
  bool is_redundant(const std::string& path) {
    const std::string name{sys::split_path(path).name};
    const Entry above = upper_dir_ ? look_at(upper_dir_.get(), name) : Entry{};
    const Entry below = lower_dir_ ? look_at(lower_dir_.get(), name) : Entry{};
    if (above.exists() && is_whiteout_at(upper_dir_.get(), name, above)) {
      return !below.exists();
    }
    if (!above.exists() || above.kind != below.kind ||
        (above.kind == EntryKind::Directory && !is_empty_and_merged(name)) ||
        differs(path, name, above, below)) {
      return false;
    }
    if (above.kind == EntryKind::Directory || above.nlink == 1) {
      return true;
    }
    put_off(path, above);
    return false;
  }

  [[nodiscard]] bool is_empty_and_merged(const std::string& name) const {
    const sys::Fd dir = sys::try_open_at(upper_dir_.get(), name, sys::kDirPath);
    return dir && !is_opaque(dir.get()) && sys::is_empty_dir(dir.get());
  }

  [[nodiscard]] bool differs(const std::string& path, const std::string& name, const Entry& above,
                             const Entry& below) const {
    try {
      const Pair pair{upper_dir_.get(), lower_dir_.get(), name, path, above, below};
      return arriving(compare(pair), pair).any();
    } catch (const StaleError&) {
      return true;  // it is being written: it stays
    }
  }

  void put_off(const std::string& path, const Entry& above) {
    LinkGroup& group = groups_[{above.dev, above.ino}];
    if (group.paths.empty()) {
      group.nlink = above.nlink;
    }
    if (std::find(group.paths.begin(), group.paths.end(), path) == group.paths.end()) {
      group.paths.push_back(path);
    }
  }

  void remove(const std::string& path) const {
    const std::string name{sys::split_path(path).name};
    const Writable writable{upper_dir_.get()};
    if (before_ && look_at(upper_dir_.get(), name).kind == EntryKind::File) {
      before_(upper_dir_.get(), name, path);
    }
    if (::unlinkat(upper_dir_.get(), name.c_str(), 0) == 0 || errno == ENOENT) {
      return;
    }
    if ((errno != EISDIR && errno != EPERM) ||
        ::unlinkat(upper_dir_.get(), name.c_str(), AT_REMOVEDIR) != 0) {
      throw_errno("take " + quoted(path) + " out of the session");
    }
  }

  int upper_;
  int lower_;
  const BeforeRemoval& before_;
  std::string parent_;
  sys::Fd upper_dir_;
  sys::Fd lower_dir_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, LinkGroup> groups_;
};

// The length of the longest directory path that both are at or below.
std::size_t common_parent(const std::string& a, const std::string& b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto length = static_cast<std::size_t>(end.first - a.begin());
  if (length == a.size() && length < b.size() && b[length] == '/') {
    return length;
  }
  const std::size_t slash = length == 0 ? std::string::npos : a.rfind('/', length - 1);
  return slash == std::string::npos ? 0 : slash;
}

// ".." would lead out of the layer.
void check_path(const std::string& doing, const std::string& path) {
  if (!sys::is_plain_relative(path)) {
    throw Error{"cannot " + doing + ' ' + quoted(path) + ": it is no path below the project"};
  }
}

// A directory of the layer: whatever ends this process, it is there as a whole or not at all. It is
// moved to beside the layer and removed there; what an earlier drop left is, too.
void remove_directory(int upper, int dir, const std::string& name) {
  constexpr const char* kAside = "dropped";
  const sys::Fd layer = sys::open_at(upper, "..", O_PATH | O_DIRECTORY);
  const sys::Fd aside = sys::make_dirs(layer.get(), kAside, S_IRWXU);
  sys::remove_tree(aside.get(), name);
  // Its ".." changes, for which it must be writable (EACCES).
  if (::renameat(dir, name.c_str(), aside.get(), name.c_str()) != 0 &&
      (errno != EACCES || ::fchmodat(dir, name.c_str(), S_IRWXU, 0) != 0 ||
       ::renameat(dir, name.c_str(), aside.get(), name.c_str()) != 0)) {
    throw_errno("take a directory out of the session");
  }
  SHADOW_FAIL_POINT("dropped");
  sys::remove_tree(layer.get(), kAside);
}

}  // namespace

void drop(int upper, int lower, const std::string& path, const StaysHidden& stays_hidden) {
  check_path("drop", path);
  if (look_beneath(lower, path).exists()) {
    make_way(upper, lower, path, stays_hidden);
  }
  const sys::SplitPath parts = sys::split_path(path);
  if (const sys::Fd dir = sys::try_open_beneath(upper, parts.parent, sys::kDirPath)) {
    const Writable writable{dir.get()};
    const std::string name{parts.name};
    if (look_at(dir.get(), name).kind == EntryKind::Directory) {
      remove_directory(upper, dir.get(), name);
    } else {
      sys::remove_tree(dir.get(), name);
    }
  }
  Pruner{upper, lower, {}}.consider(std::string{parts.parent});
}

void prune(int upper, int lower, const std::vector<std::string>& paths, const BeforeRemoval& before,
           const StaysHidden& stays_hidden) {
  for (const std::string& path : paths) {
    check_path("prune", path);
  }
  std::vector<std::string> ordered = paths;
  std::sort(ordered.begin(), ordered.end());
  // Opaque directories first, from the top: only then can what lies in them be compared with the
  // lower.
  std::string lifted;
  for (const std::string& path : ordered) {
    lift(upper, lower, path, common_parent(lifted, path), stays_hidden);
    lifted = path;
  }
  Pruner pruner{upper, lower, before};
  std::reverse(ordered.begin(), ordered.end());  // children before their parents
  for (const std::string& path : ordered) {
    pruner.consider(path);
  }
  pruner.remove_link_groups();
}

}  // namespace shadow::overlay
