// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/attributes.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/write/prune.hpp"
#include "overlay/write/writable.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <sys/stat.h>

namespace shadow::overlay {
namespace {

constexpr mode_t kOrdinary = 0755;

// `lower` may be empty: there is no such directory yet.
sys::Fd make_merged_dir(int parent, const std::string& name, const sys::Fd& lower) {
  const Writable writable{parent};
  if (::mkdirat(parent, name.c_str(), kOrdinary) != 0) {
    throw_errno("make directory " + quoted(name));
  }
  sys::Fd made = sys::open_at(parent, name, sys::kDirPath);
  if (lower) {
    copy_attributes(lower.get(), made.get());
  }
  return made;
}

bool is_closed(int dir) {
  struct stat st {};
  return ::fstat(dir, &st) == 0 && (st.st_mode & S_IXUSR) == 0;
}

// The upper's directory at this path, made where needed; empty where nothing of the lower shows.
sys::Fd merged_dir(int upper, int lower, std::string_view path) {
  std::optional<Writable> root;
  if (is_closed(upper)) {
    root.emplace(upper);
  }
  sys::Fd above = sys::open_beneath(upper, {}, sys::kDirPath);
  sys::Fd below = sys::open_beneath(lower, {}, sys::kDirPath);
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string name{path.substr(0, slash)};
    path.remove_prefix(std::min(slash + 1, path.size()));
    // A run may take its own right to search a directory away; nothing of it is touched otherwise.
    std::optional<Writable> opened;
    if (is_closed(above.get())) {
      opened.emplace(above.get());
    }
    const Entry there = look_at(above.get(), name);
    const Entry real = below ? look_at(below.get(), name) : Entry{};
    if (there.exists() ? there.kind != EntryKind::Directory
                       : real.exists() && real.kind != EntryKind::Directory) {
      return {};  // masked further up, or a link: what it leads to has a path of its own
    }
    below = below ? sys::try_open_at(below.get(), name, sys::kDirPath) : sys::Fd{};
    sys::Fd next = there.exists() ? sys::open_at(above.get(), name, sys::kDirPath)
                                  : make_merged_dir(above.get(), name, below);
    if (there.exists() && is_opaque(next.get())) {
      return {};  // nothing of the lower shows in it, and a whiteout would, as a device
    }
    opened.reset();
    above = std::move(next);
  }
  return above;
}

void mask_name(const sys::Fd& directory, const std::string& name) {
  std::optional<Writable> opened;
  if (is_closed(directory.get())) {
    opened.emplace(directory.get());
  }
  if (!look_at(directory.get(), name).exists()) {
    const Writable writable{directory.get()};
    make_whiteout(directory.get(), name);
  }
}

}  // namespace

void mask(int upper, int lower, const std::string& path) {
  mask_all(upper, lower, {path});
}

void mask_all(int upper, int lower, std::vector<std::string> paths) {
  // By directory, those further up first: what is masked with its directory is found to be.
  std::sort(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) {
    const sys::SplitPath one = sys::split_path(a);
    const sys::SplitPath other = sys::split_path(b);
    return std::tie(one.parent, one.name) < std::tie(other.parent, other.name);
  });
  std::string parent;
  sys::Fd directory;
  bool first = true;
  for (const std::string& path : paths) {
    if (!sys::is_plain_relative(path)) {
      throw Error{"cannot mask " + quoted(path) + ": it is no path below the directory"};
    }
    const sys::SplitPath parts = sys::split_path(path);
    if (first || parts.parent != parent) {
      parent = parts.parent;
      directory = merged_dir(upper, lower, parent);
      first = false;
    }
    if (directory) {
      mask_name(directory, std::string{parts.name});
    }
  }
}

}  // namespace shadow::overlay
