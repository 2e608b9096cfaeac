// SPDX-License-Identifier: MIT
#include "overlay/lift.hpp"

#include "overlay/format.hpp"
#include "overlay/look.hpp"
#include "sys/beneath.hpp"
#include "sys/dir.hpp"

namespace shadow::overlay {
namespace {

constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

// Before the mark is taken away everything that it hid is hidden by name, so that the view is the
// same at every moment.
void say_by_name(int upper_dir, int lower_dir) {
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
    if (opacity(child.get()) != Opacity::Opaque &&
        look_at(lower_dir, entry.name).kind == EntryKind::Directory) {
      set_opaque(child.get());
    }
  }
  clear_opaque(upper_dir);
}

}  // namespace

void lift(int upper, int lower, const std::string& path) {
  const sys::Fd above = sys::try_open_beneath(upper, path, kDirectory);
  if (!above || opacity(above.get()) != Opacity::Opaque) {
    return;
  }
  if (const sys::Fd below = sys::try_open_beneath(lower, path, kDirectory)) {
    say_by_name(above.get(), below.get());
  } else {
    clear_opaque(above.get());
  }
}

bool lift_parents(int upper, int lower, const std::string& path) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string parent = path.substr(0, slash);
    if (look_beneath(upper, parent).kind != EntryKind::Directory) {
      return false;
    }
    lift(upper, lower, parent);
  }
  return true;
}

}  // namespace shadow::overlay
