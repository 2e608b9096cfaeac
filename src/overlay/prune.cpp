// SPDX-License-Identifier: MIT
#include "overlay/prune.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format.hpp"
#include "overlay/lift.hpp"
#include "overlay/look.hpp"
#include "overlay/scan.hpp"
#include "sys/beneath.hpp"
#include "sys/dir.hpp"

#include <algorithm>
#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::overlay {
namespace {

constexpr mode_t kPermissionBits = 07777;
constexpr mode_t kOrdinary = 0755;

bool is_empty(int root, const std::string& path) {
  const sys::Fd dir = sys::try_open_beneath(root, path, O_RDONLY | O_DIRECTORY);
  return dir && sys::list_dir(dir.get()).empty();
}

bool same_attributes(const sys::Fd& above, const sys::Fd& below) {
  return look_fd(above.get()).mode == look_fd(below.get()).mode &&
         user_xattrs(above.get(), Side::Upper) == user_xattrs(below.get(), Side::Lower);
}

bool same_file(int upper, int lower, const std::string& path) {
  const sys::Fd a = sys::try_open_beneath(upper, path, O_RDONLY | O_NONBLOCK);
  const sys::Fd b = sys::try_open_beneath(lower, path, O_RDONLY | O_NONBLOCK);
  return a && b && same_content(a.get(), b.get());
}

// Whether the view at `path` is the same without the upper's entry. The entry's parents merge.
bool says_nothing(int upper, int lower, const std::string& path) {
  const Entry above = look_beneath(upper, path);
  const Entry below = look_beneath(lower, path);
  if (is_whiteout(above)) {
    return !below.exists();
  }
  if (!above.exists() || above.kind != below.kind) {
    return false;
  }
  if (above.kind == EntryKind::Symlink) {
    return above.target == below.target;
  }
  const sys::Fd a = sys::try_open_beneath(upper, path, O_PATH);
  const sys::Fd b = sys::try_open_beneath(lower, path, O_PATH);
  if (!a || !b || !same_attributes(a, b)) {
    return false;
  }
  switch (above.kind) {
    case EntryKind::Directory:
      return opacity(a.get()) == Opacity::Merged && is_empty(upper, path);
    case EntryKind::File:
      return above.size == below.size && same_file(upper, lower, path);
    case EntryKind::Device:
      return above.rdev == below.rdev;
    default:
      return true;
  }
}

void remove_one(int upper, const std::string& path) {
  const sys::ParentAndName at = sys::open_parent_beneath(upper, path);
  if (::unlinkat(at.parent.get(), at.name.c_str(), 0) == 0 || errno == ENOENT) {
    return;
  }
  if ((errno != EISDIR && errno != EPERM) ||
      ::unlinkat(at.parent.get(), at.name.c_str(), AT_REMOVEDIR) != 0) {
    throw_errno("take " + quoted(path) + " out of the session");
  }
}

void prune_parents(int upper, int lower, std::string path) {
  for (;;) {
    path = std::string{sys::split_path(path).parent};
    if (path.empty() || !says_nothing(upper, lower, path)) {
      return;
    }
    remove_one(upper, path);
  }
}

// Directories that were deleted above a path that is to be seen again: each becomes a directory in
// which only the way to the path is open.
void open_deleted_parents(int upper, int lower, const std::string& path) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string parent = path.substr(0, slash);
    const Entry above = look_beneath(upper, parent);
    if (!above.exists() || above.kind == EntryKind::Directory) {
      continue;
    }
    if (!is_whiteout(above)) {
      throw Error{"cannot drop " + quoted(path) + ": " + quoted(parent) + " is a " +
                      to_word(above.kind) + " in the session",
                  "drop " + quoted(parent) + " instead"};
    }
    const Entry below = look_beneath(lower, parent);
    remove_one(upper, parent);
    const sys::ParentAndName at = sys::open_parent_beneath(upper, parent);
    if (::mkdirat(at.parent.get(), at.name.c_str(), S_IRWXU) != 0) {
      throw_errno("make directory " + quoted(parent));
    }
    const sys::Fd made = sys::open_beneath(upper, parent, O_RDONLY | O_DIRECTORY);
    set_opaque(made.get());
    ::fchmod(made.get(), below.exists() ? below.mode & kPermissionBits : kOrdinary);
  }
}

}  // namespace

void drop(int upper, int lower, const std::string& path) {
  open_deleted_parents(upper, lower, path);
  if (!lift_parents(upper, lower, path)) {
    return;
  }
  const sys::ParentAndName at = sys::open_parent_beneath(upper, path);
  sys::remove_tree(at.parent.get(), at.name);
  prune_parents(upper, lower, path);
}

void prune(int upper, int lower, const std::vector<std::string>& paths) {
  std::vector<std::string> ordered = paths;
  // Opaque directories first, from the top: what lies in them can be told from the lower only then.
  std::sort(ordered.begin(), ordered.end());
  for (const std::string& path : ordered) {
    if (lift_parents(upper, lower, path)) {
      lift(upper, lower, path);
    }
  }
  for (auto path = ordered.rbegin(); path != ordered.rend(); ++path) {
    if (says_nothing(upper, lower, *path)) {
      remove_one(upper, *path);
      prune_parents(upper, lower, *path);
    }
  }
}

void mask(int upper, int lower, const std::string& path) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string parent = path.substr(0, slash);
    if (look_beneath(upper, parent).exists()) {
      continue;
    }
    const Entry below = look_beneath(lower, parent);
    if (below.exists() && below.kind != EntryKind::Directory) {
      return;  // a link: what it leads to has a path of its own
    }
    const mode_t mode =
        below.kind == EntryKind::Directory ? below.mode & kPermissionBits : kOrdinary;
    const sys::ParentAndName at = sys::open_parent_beneath(upper, parent);
    if (::mkdirat(at.parent.get(), at.name.c_str(), S_IRWXU) != 0) {
      throw_errno("make directory " + quoted(parent));
    }
    const sys::Fd made = sys::open_beneath(upper, parent, O_RDONLY | O_DIRECTORY);
    ::fchmod(made.get(), mode);
  }
  if (!look_beneath(upper, path).exists()) {
    const sys::ParentAndName at = sys::open_parent_beneath(upper, path);
    make_whiteout(at.parent.get(), at.name);
  }
}

}  // namespace shadow::overlay
