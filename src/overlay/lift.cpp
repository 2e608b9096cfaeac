// SPDX-License-Identifier: MIT
#include "overlay/lift.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/attributes.hpp"
#include "overlay/format.hpp"
#include "overlay/look.hpp"
#include "overlay/writable.hpp"
#include "sys/beneath.hpp"
#include "sys/dir.hpp"

#include <cerrno>
#include <cstdio>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::overlay {
namespace {

constexpr int kDirectory = O_PATH | O_DIRECTORY | O_NOFOLLOW;

// Before the mark is taken away everything that it hid is hidden by name, so that the view is the
// same at every moment.
void say_by_name(int upper_dir, int lower_dir) {
  const Writable writable{upper_dir};
  for (const sys::DirEntry& entry : sys::list_dir(lower_dir)) {
    const Entry above = look_at(upper_dir, entry.name);
    if (!above.exists()) {
      make_whiteout(upper_dir, entry.name);
      continue;
    }
    if (above.kind != EntryKind::Directory) {
      continue;
    }
    const sys::Fd child = sys::open_at(upper_dir, entry.name, kDirectory);
    if (look_at(lower_dir, entry.name).kind == EntryKind::Directory) {
      set_opaque(child.get());
    }
  }
  clear_opaque(upper_dir);
}

// Empty when there is no directory at `path`; any other failure is not taken for that.
sys::Fd open_dir_if_any(int root, const std::string& path) {
  sys::Fd dir = sys::try_open_beneath(root, path, kDirectory);
  if (!dir && errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
    throw_errno("open directory " + quoted(path));
  }
  return dir;
}

// Calls `visit` with every directory on the way to `path`, until it says false.
template <class Visit>
void for_each_parent(const std::string& path, const Visit& visit) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    if (!visit(path.substr(0, slash))) {
      return;
    }
  }
}

std::string make_unused_dir(int dirfd) {
  for (unsigned number = 0;; ++number) {
    std::string name = ".shadow-lift-";
    name += std::to_string(number);
    if (::mkdirat(dirfd, name.c_str(), S_IRWXU) == 0) {
      return name;
    }
    if (errno != EEXIST) {
      throw_errno("make a directory in the session's layer");
    }
  }
}

// Swapped in whole: at no moment does the deleted directory show.
void replace_by_opaque_dir(int upper, int lower, const std::string& path) {
  const sys::Fd below = sys::open_beneath(lower, path, kDirectory);
  const sys::ParentAndName at = sys::open_parent_beneath(upper, path);
  const Writable writable{at.parent.get()};
  const std::string spare = make_unused_dir(at.parent.get());
  const sys::Fd made = sys::open_at(at.parent.get(), spare, kDirectory);
  set_opaque(made.get());
  copy_attributes(below.get(), made.get());
  if (::renameat2(at.parent.get(), spare.c_str(), at.parent.get(), at.name.c_str(),
                  RENAME_EXCHANGE) != 0 ||
      ::unlinkat(at.parent.get(), spare.c_str(), 0) != 0) {
    throw_errno("open the deleted directory " + quoted(path));
  }
}

bool is_hidden_name(int upper, const std::string& path, const Entry& entry) {
  const sys::ParentAndName at = sys::open_parent_beneath(upper, path);
  return is_whiteout_at(at.parent.get(), at.name, entry);
}

}  // namespace

void lift(int upper, int lower, const std::string& path) {
  const sys::Fd above = open_dir_if_any(upper, path);
  if (!above || !is_opaque(above.get())) {
    return;
  }
  // Where the lower has no directory the mark hides nothing, and can stay for the day when it has.
  if (const sys::Fd below = open_dir_if_any(lower, path)) {
    say_by_name(above.get(), below.get());
  }
}

void lift_parents(int upper, int lower, const std::string& path) {
  for_each_parent(path, [&](const std::string& parent) {
    lift(upper, lower, parent);
    return look_beneath(upper, parent).kind == EntryKind::Directory;
  });
}

void make_way(int upper, int lower, const std::string& path) {
  for_each_parent(path, [&](const std::string& parent) {
    const Entry above = look_beneath(upper, parent);
    if (!above.exists()) {
      return false;  // the lower shows through from here on
    }
    if (above.kind != EntryKind::Directory) {
      if (!is_hidden_name(upper, parent, above)) {
        throw Error{"cannot drop " + quoted(path) + ": " + quoted(parent) + " is a " +
                        to_word(above.kind) + " in the session",
                    "drop " + quoted(parent) + " instead"};
      }
      replace_by_opaque_dir(upper, lower, parent);
    }
    lift(upper, lower, parent);
    return true;
  });
}

}  // namespace shadow::overlay
