// SPDX-License-Identifier: MIT
#include "overlay/read/view.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>

namespace shadow::overlay {
namespace {

sys::Fd open_dir(const sys::Fd& parent, const std::string& name) {
  if (!parent) {
    return {};
  }
  sys::Fd dir = sys::try_open_at(parent.get(), name, sys::kDirPath);
  // A layer that cannot be opened is not an empty one: the other would show through.
  if (!dir && errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
    throw_errno("open directory " + quoted(name));
  }
  return dir;
}

Entry look(const sys::Fd& parent, const std::string& name) {
  return parent ? look_at(parent.get(), name) : Entry{};
}

// A directory of the view: its upper and its lower side.
struct DirPair {
  sys::Fd upper;
  sys::Fd lower;  // empty where it does not show through
};

struct Resolved {
  From from = From::Nowhere;
  Entry entry;
  bool merged = false;  // a directory of both
};

Resolved resolve(const DirPair& dir, const std::string& name) {
  Resolved result;
  Entry above = look(dir.upper, name);
  if (above.exists()) {
    if (is_whiteout_at(dir.upper.get(), name, above)) {
      return result;
    }
    result.from = From::Upper;
    result.merged =
        above.kind == EntryKind::Directory && look(dir.lower, name).kind == EntryKind::Directory;
    result.entry = std::move(above);
    return result;
  }
  Entry below = look(dir.lower, name);
  // To overlayfs a whiteout is one in whatever layer it lies.
  if (below.exists() && !is_whiteout_at(dir.lower.get(), name, below)) {
    result.from = From::Lower;
    result.entry = std::move(below);
  }
  return result;
}

DirPair descend(const DirPair& dir, const std::string& name, const Resolved& to) {
  DirPair below;
  if (to.from == From::Lower) {
    below.lower = open_dir(dir.lower, name);
    return below;
  }
  below.upper = open_dir(dir.upper, name);
  if (!below.upper) {
    return below;
  }
  if (to.merged && !is_opaque(below.upper.get())) {
    below.lower = open_dir(dir.lower, name);
  }
  return below;
}

DirPair roots(int upper, int lower) {
  DirPair pair;
  if (upper >= 0) {
    pair.upper = sys::open_beneath(upper, {}, sys::kDirPath);
  }
  pair.lower = sys::open_beneath(lower, {}, sys::kDirPath);
  return pair;
}

DirPair copy_of(const DirPair& dir) {
  const auto copy = [](const sys::Fd& fd) { return fd ? sys::duplicate(fd.get()) : sys::Fd{}; };
  return {copy(dir.upper), copy(dir.lower)};
}

}  // namespace

// The directory that holds the last component, and what that component is; of the root itself, "."
// in both layers.
struct View::Found {
  DirPair dir;
  std::string name;
  Resolved what;

  [[nodiscard]] sys::Fd open(int flags) const {
    const sys::Fd& layer = what.from == From::Upper ? dir.upper : dir.lower;
    return sys::try_open_at(layer.get(), name, flags | O_NOFOLLOW | O_NONBLOCK);
  }
};

struct View::Last {
  std::string path;
  DirPair dir;

  [[nodiscard]] bool leads_to(std::string_view other) const {
    return !path.empty() && other.size() > path.size() && other[path.size()] == '/' &&
           other.starts_with(path);
  }
};

void View::keep_last_directory() {
  last_ = std::make_shared<Last>();
}

View::Found View::find(std::string_view path) const {
  Found found;
  const std::string_view whole = path;
  if (last_ && last_->leads_to(path) && sys::is_plain_relative(path)) {
    found.dir = copy_of(last_->dir);
    path.remove_prefix(last_->path.size() + 1);
  } else {
    found.dir = roots(upper_, lower_);
  }
  if (path.empty()) {
    found.name += '.';
    found.what = resolve(found.dir, found.name);
    return found;
  }
  if (!sys::is_plain_relative(path)) {
    return found;  // nothing of a hostile path is looked at: ".." would lead out
  }
  for (;;) {
    const std::size_t slash = path.find('/');
    found.name = std::string{path.substr(0, slash)};
    found.what = resolve(found.dir, found.name);
    if (slash == std::string_view::npos) {
      if (last_) {
        *last_ = {std::string{sys::split_path(whole).parent}, copy_of(found.dir)};
      }
      return found;
    }
    if (found.what.entry.kind != EntryKind::Directory) {
      found.what = {};
      return found;
    }
    found.dir = descend(found.dir, found.name, found.what);
    path.remove_prefix(slash + 1);
  }
}

From View::where(std::string_view path) const {
  return find(path).what.from;
}

Entry View::look(std::string_view path) const {
  return find(path).what.entry;
}

Entry View::look_for(std::string_view path) const {
  const auto is_in = [&](int layer) {
    return layer >= 0 && (sys::try_open_beneath(layer, path, O_PATH) || !sys::is_missing(errno));
  };
  return is_in(upper_) || is_in(lower_) ? look(path) : Entry{};
}

sys::Fd View::open(std::string_view path, int flags) const {
  const Found found = find(path);
  const bool named_only = (flags & O_PATH) != 0;
  if (found.what.from == From::Nowhere ||
      (found.what.entry.kind == EntryKind::Device && !named_only)) {
    return {};
  }
  return found.open(flags);
}

std::optional<std::string> View::read(std::string_view path, std::uint64_t limit) const {
  const Found found = find(path);
  if (found.what.entry.kind != EntryKind::File) {
    return std::nullopt;
  }
  const sys::Fd file = found.open(O_RDONLY);
  if (!file || look_fd(file.get()).kind != EntryKind::File) {
    return std::nullopt;
  }
  if (found.what.entry.size > limit) {
    throw Error{"cannot read " + quoted(path) + ": it is too large"};
  }
  return sys::read_all(file.get(), limit);
}

std::vector<std::string> View::list(std::string_view path) const {
  const Found found = find(path);
  if (found.what.entry.kind != EntryKind::Directory) {
    return {};
  }
  const DirPair dir =
      path.empty() ? roots(upper_, lower_) : descend(found.dir, found.name, found.what);
  std::vector<std::string> names;
  for (const sys::Fd* side : {&dir.upper, &dir.lower}) {
    if (*side) {
      for (sys::DirEntry& entry : sys::list_dir(side->get())) {
        names.push_back(std::move(entry.name));
      }
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase_if(names,
                [&](const std::string& name) { return resolve(dir, name).from == From::Nowhere; });
  return names;
}

}  // namespace shadow::overlay
