// SPDX-License-Identifier: MIT
#include "overlay/write/lift.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/attributes.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/write/writable.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <set>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::overlay {
namespace {

// Before the mark is taken away everything that it hid, and that stays hidden, is hidden by name,
// so that the view of that is the same at every moment.
void hide_by_name(int upper_dir, int lower_dir, const std::string& path,
                  const StaysHidden& stays_hidden) {
  const Writable writable{upper_dir};
  for (const sys::DirEntry& entry : sys::list_dir(lower_dir)) {
    const Entry above = look_at(upper_dir, entry.name);
    if (!above.exists()) {
      if (!stays_hidden || stays_hidden(sys::join_path(path, entry.name))) {
        make_whiteout(upper_dir, entry.name);
      }
      continue;
    }
    if (above.kind != EntryKind::Directory) {
      continue;
    }
    const sys::Fd child = sys::open_at(upper_dir, entry.name, sys::kDirPath);
    if (look_at(lower_dir, entry.name).kind == EntryKind::Directory) {
      set_opaque(child.get());
    }
  }
  clear_opaque(upper_dir);
}

// Empty when it is no directory; any other failure is not taken for that.
sys::Fd if_any(sys::Fd dir, std::string_view path) {
  if (!dir && errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
    throw_errno("open directory " + quoted(path));
  }
  return dir;
}

// The same directory of both layers. Goes down by descriptors, not by paths: a path of n components
// costs n steps at each of n levels.
struct Place {
  sys::Fd upper;
  sys::Fd lower;  // empty: there is none
  std::string path;

  void down(const std::string& name) {
    upper = sys::open_at(upper.get(), name, sys::kDirPath);
    lower = lower ? if_any(sys::try_open_at(lower.get(), name, sys::kDirPath), name) : sys::Fd{};
    path = sys::join_path(path, name);
  }

  void lift(const StaysHidden& stays_hidden) const {
    // If the lower has no directory, the mark hides nothing. It stays for the day when there is
    // one.
    if (lower && is_opaque(upper.get())) {
      hide_by_name(upper.get(), lower.get(), path, stays_hidden);
    }
  }
};

// Takes the first component off.
std::string take_component(std::string_view& path) {
  const std::size_t slash = std::min(path.find('/'), path.size());
  std::string name{path.substr(0, slash)};
  path.remove_prefix(std::min(slash + 1, path.size()));
  return name;
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
void replace_by_opaque_dir(const Place& at, const std::string& name) {
  const sys::Fd below = sys::open_at(at.lower.get(), name, sys::kDirPath);
  const Writable writable{at.upper.get()};
  const std::string spare = make_unused_dir(at.upper.get());
  const sys::Fd made = sys::open_at(at.upper.get(), spare, sys::kDirPath);
  set_opaque(made.get());
  copy_attributes(below.get(), made.get());
  if (::renameat2(at.upper.get(), spare.c_str(), at.upper.get(), name.c_str(), RENAME_EXCHANGE) !=
          0 ||
      ::unlinkat(at.upper.get(), spare.c_str(), 0) != 0) {
    throw_errno("open the deleted directory " + quoted(name));
  }
}

[[noreturn]] void throw_in_the_way(const std::string& path, const std::string& parent,
                                   const Entry& entry) {
  throw Error{"cannot drop " + quoted(path) + ": " + quoted(parent) + " is a " +
                  to_word(entry.kind) + " in the session",
              "drop " + quoted(parent) + " instead"};
}

// As far as the upper has directories on the way, and none of them is dropped before.
void require_way_to(int upper, const std::string& path, const std::set<std::string_view>& dropped) {
  const std::string_view parents = sys::split_path(path).parent;
  sys::Fd at = sys::open_beneath(upper, {}, sys::kDirPath);
  std::string_view rest = parents;
  while (!rest.empty()) {
    const std::string name = take_component(rest);
    const std::size_t left = rest.empty() ? 0 : rest.size() + 1;
    const std::string_view parent = parents.substr(0, parents.size() - left);
    const Entry above = look_at(at.get(), name);
    if (!above.exists() || dropped.count(parent) != 0 || is_whiteout_at(at.get(), name, above)) {
      return;
    }
    if (above.kind != EntryKind::Directory) {
      throw_in_the_way(path, std::string{parent}, above);
    }
    at = sys::open_at(at.get(), name, sys::kDirPath);
  }
}

}  // namespace

void lift(int upper, int lower, const std::string& path, std::size_t known,
          const StaysHidden& stays_hidden) {
  const std::string_view start = std::string_view{path}.substr(0, known);
  Place at{if_any(sys::try_open_beneath(upper, start, sys::kDirPath), start),
           if_any(sys::try_open_beneath(lower, start, sys::kDirPath), start), std::string{start}};
  std::string_view rest = path;
  rest.remove_prefix(known == 0 ? 0 : std::min(known + 1, rest.size()));
  while (at.upper && !rest.empty()) {
    const std::string name = take_component(rest);
    if (look_at(at.upper.get(), name).kind != EntryKind::Directory) {
      return;
    }
    at.down(name);
    at.lift(stays_hidden);
  }
}

void lift_copy(int upper, int lower, const std::string& path, const StaysHidden& was_copied) {
  lift(upper, lower, std::string{sys::split_path(path).parent});
  const Place at{if_any(sys::try_open_beneath(upper, path, sys::kDirPath), path),
                 if_any(sys::try_open_beneath(lower, path, sys::kDirPath), path), path};
  if (at.upper) {
    at.lift(was_copied);
  }
}

void make_way(int upper, int lower, const std::string& path, const StaysHidden& stays_hidden) {
  Place at{
      sys::open_beneath(upper, {}, sys::kDirPath), sys::open_beneath(lower, {}, sys::kDirPath), {}};
  const std::string_view parents = sys::split_path(path).parent;
  std::string_view rest = parents;
  while (!rest.empty()) {
    const std::string name = take_component(rest);
    const Entry above = look_at(at.upper.get(), name);
    if (!above.exists()) {
      return;  // the lower shows through from here on
    }
    if (above.kind != EntryKind::Directory) {
      if (!is_whiteout_at(at.upper.get(), name, above)) {
        const std::size_t left = rest.empty() ? 0 : rest.size() + 1;
        throw_in_the_way(path, path.substr(0, parents.size() - left), above);
      }
      replace_by_opaque_dir(at, name);
    }
    at.down(name);
    at.lift(stays_hidden);
  }
}

void require_way(int upper, int lower, const std::vector<std::string>& paths) {
  std::set<std::string_view> dropped;
  for (const std::string& path : paths) {
    if (look_beneath(lower, path).exists()) {
      require_way_to(upper, path, dropped);
    }
    dropped.insert(path);
  }
}

}  // namespace shadow::overlay
