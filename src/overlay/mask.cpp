// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/attributes.hpp"
#include "overlay/format.hpp"
#include "overlay/look.hpp"
#include "overlay/prune.hpp"
#include "overlay/writable.hpp"
#include "sys/beneath.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include <sys/stat.h>

namespace shadow::overlay {
namespace {

constexpr int kDirectory = O_PATH | O_DIRECTORY | O_NOFOLLOW;
constexpr mode_t kOrdinary = 0755;

// `lower` may be empty: there is no such directory yet.
sys::Fd make_merged_dir(int parent, const std::string& name, const sys::Fd& lower) {
  const Writable writable{parent};
  if (::mkdirat(parent, name.c_str(), kOrdinary) != 0) {
    throw_errno("make directory " + quoted(name));
  }
  sys::Fd made = sys::open_at(parent, name, kDirectory);
  if (lower) {
    copy_attributes(lower.get(), made.get());
  }
  return made;
}

bool is_closed(int dir) {
  struct stat st {};
  return ::fstat(dir, &st) == 0 && (st.st_mode & S_IXUSR) == 0;
}

}  // namespace

void mask(int upper, int lower, const std::string& path) {
  if (!sys::is_plain_relative(path)) {
    throw Error{"cannot mask " + quoted(path) + ": it is no path below the directory"};
  }
  std::optional<Writable> root;
  if (is_closed(upper)) {
    root.emplace(upper);
  }
  sys::Fd above = sys::open_beneath(upper, {}, kDirectory);
  sys::Fd below = sys::open_beneath(lower, {}, kDirectory);
  std::string_view rest = path;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;
       slash = rest.find('/')) {
    const std::string name{rest.substr(0, slash)};
    rest.remove_prefix(slash + 1);
    // A run may take its own right to search a directory away; nothing of it is touched otherwise.
    std::optional<Writable> opened;
    if (is_closed(above.get())) {
      opened.emplace(above.get());
    }
    const Entry there = look_at(above.get(), name);
    const Entry real = below ? look_at(below.get(), name) : Entry{};
    if (there.exists() ? there.kind != EntryKind::Directory
                       : real.exists() && real.kind != EntryKind::Directory) {
      return;  // masked further up, or a link: what it leads to has a path of its own
    }
    below = below ? sys::try_open_at(below.get(), name, kDirectory) : sys::Fd{};
    sys::Fd next = there.exists() ? sys::open_at(above.get(), name, kDirectory)
                                  : make_merged_dir(above.get(), name, below);
    if (there.exists() && is_opaque(next.get())) {
      return;  // nothing of the lower shows in it, and a whiteout would, as a device
    }
    opened.reset();
    above = std::move(next);
  }
  const std::string name{rest};
  std::optional<Writable> opened;
  if (is_closed(above.get())) {
    opened.emplace(above.get());
  }
  if (!look_at(above.get(), name).exists()) {
    const Writable writable{above.get()};
    make_whiteout(above.get(), name);
  }
}

}  // namespace shadow::overlay
