// SPDX-License-Identifier: MIT
#include "overlay/write/raise.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/attributes.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/write/writable.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::overlay {
namespace {

constexpr int kNode = O_PATH | O_NOFOLLOW;

// Beside the layer, where no view shows it; what one who was killed left there goes first.
constexpr const char* kRaised = "raised";

sys::Fd if_there(sys::Fd fd, std::string_view path) {
  if (!fd && !sys::is_missing(errno)) {
    throw_errno("open " + quoted(path));
  }
  return fd;
}

void take_times(int from, int dirfd, const char* name) {
  struct stat st {};
  if (::fstat(from, &st) != 0) {
    throw_errno("look at a file");
  }
  const std::array<timespec, 2> times{st.st_atim, st.st_mtim};
  if (::utimensat(dirfd, name, times.data(), AT_SYMLINK_NOFOLLOW) != 0) {
    throw_errno("set the time of a file");
  }
}

// The length of the longest directory path that both are at or below.
std::size_t shared_directories(std::string_view a, std::string_view b) {
  const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto length = static_cast<std::size_t>(ends.first - a.begin());
  const auto ends_at = [length](std::string_view path) {
    return length == path.size() || path[length] == '/';
  };
  if (ends_at(a) && ends_at(b)) {
    return length;
  }
  const std::size_t slash = a.substr(0, length).rfind('/');
  return slash == std::string_view::npos ? 0 : slash;
}

sys::Fd make_merged_dir(int parent, const std::string& name, int like) {
  const Writable writable{parent};
  if (::mkdirat(parent, name.c_str(), S_IRWXU) != 0) {
    throw_errno("make directory " + quoted(name) + " in the session");
  }
  sys::Fd made = sys::open_at(parent, name, sys::kDirPath);
  copy_attributes(like, made.get());
  take_times(like, parent, name.c_str());
  return made;
}

}  // namespace

// The directory of the upper that is to hold the path, made where the upper has none. What one path
// shares with the last is known: else a deep tree would take the square of its depth.
std::optional<sys::Fd> Raiser::parent_of(int from, const std::string& path) {
  const std::string_view parents = sys::split_path(path).parent;
  walked_.resize(shared_directories(walked_, parents));
  sys::Fd above = sys::open_beneath(layer_.upper, walked_, sys::kDirPath);
  for (std::size_t at = walked_.empty() ? 0 : walked_.size() + 1; at < parents.size();) {
    const std::size_t end = std::min(parents.find('/', at), parents.size());
    const std::string name{parents.substr(at, end - at)};
    const std::string_view here = parents.substr(0, end);
    at = end + 1;
    const Entry there = look_at(above.get(), name);
    if (there.exists() && there.kind != EntryKind::Directory) {
      return std::nullopt;
    }
    if (there.exists()) {
      above = sys::open_at(above.get(), name, sys::kDirPath);
      if (is_opaque(above.get())) {
        return std::nullopt;  // the session has made this directory anew
      }
      walked_ = here;
      continue;
    }
    // As the project has it; one that only the other upper has comes with what is in it.
    sys::Fd like = if_there(sys::try_open_beneath(lower_, here, sys::kDirPath), here);
    if (!like) {
      like = if_there(sys::try_open_beneath(from, here, sys::kDirPath), here);
    }
    if (!like) {
      return std::nullopt;
    }
    above = make_merged_dir(above.get(), name, like.get());
    walked_ = here;
  }
  return above;
}

// Names of one inode are names of one inode in the upper too.
bool Raiser::link_to_known(const Entry& entry, int dir, const std::string& name) const {
  const auto known = linked_.find(entry.ino);
  if (entry.nlink < 2 || entry.kind == EntryKind::Directory || known == linked_.end()) {
    return false;
  }
  const auto [parent, first] = sys::open_parent_beneath(layer_.upper, known->second);
  return ::linkat(parent.get(), first.c_str(), dir, name.c_str(), 0) == 0;
}

void Raiser::stage_file(int from_dir, const std::string& name,
                        const std::optional<OtherContent>& other) const {
  const sys::Fd from = sys::open_at(from_dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const sys::Fd to = sys::open_at(layer_.staging, kRaised, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
                                  S_IRUSR | S_IWUSR);
  sys::copy_contents(other ? other->fd : from.get(), to.get());
  copy_owner(from.get(), to.get());
  copy_attributes(from.get(), to.get());
  if (other && ::fchmod(to.get(), other->mode) != 0) {
    throw_errno("set the mode of a file");
  }
  take_times(from.get(), layer_.staging, kRaised);
}

void Raiser::stage_node(const Entry& entry, int from_dir, const std::string& name) const {
  const mode_t type = entry.kind == EntryKind::Fifo ? S_IFIFO : S_IFSOCK;
  int made = 0;
  if (entry.kind == EntryKind::Symlink) {
    made = ::symlinkat(entry.target.str().c_str(), layer_.staging, kRaised);
  } else if (entry.kind == EntryKind::Directory) {
    made = ::mkdirat(layer_.staging, kRaised, S_IRWXU);
  } else {
    made = ::mknodat(layer_.staging, kRaised, type | S_IRUSR | S_IWUSR, 0);
  }
  if (made != 0) {
    throw_errno("make " + quoted(name) + " in the session");
  }
  const sys::Fd from = sys::open_at(from_dir, name, kNode);
  const sys::Fd to = sys::open_at(layer_.staging, kRaised, kNode);
  copy_owner(from.get(), to.get());
  if (entry.kind != EntryKind::Symlink) {
    copy_attributes(from.get(), to.get());
  }
  take_times(from.get(), layer_.staging, kRaised);
}

void Raiser::place(int dir, const std::string& name) const {
  if (::renameat2(layer_.staging, kRaised, dir, name.c_str(), RENAME_NOREPLACE) != 0) {
    throw_errno("put " + quoted(name) + " into the session");
  }
}

bool Raiser::put(int from, How how, const std::string& path,
                 const std::optional<OtherContent>& other) {
  const auto dir = parent_of(from, path);
  const std::string name{sys::split_path(path).name};
  if (!dir || look_at(dir->get(), name).exists()) {
    return false;
  }
  const Writable writable{dir->get()};
  const std::string_view parent = sys::split_path(path).parent;
  const sys::Fd from_dir = if_there(sys::try_open_beneath(from, parent, sys::kDirPath), parent);
  const Entry entry = from_dir ? look_at(from_dir.get(), name) : Entry{};
  if (how == How::Move && !entry.exists()) {
    return false;
  }
  if (!entry.exists() || (how == How::Move && is_whiteout_at(from_dir.get(), name, entry))) {
    make_whiteout(dir->get(), name);
    return true;
  }
  if (how == How::Move && entry.kind != EntryKind::Directory) {
    if (::renameat2(from_dir.get(), name.c_str(), dir->get(), name.c_str(), RENAME_NOREPLACE) !=
        0) {
      throw_errno("put " + quoted(name) + " into the session");
    }
    return true;
  }
  if (entry.kind == EntryKind::Device) {
    return false;
  }
  if (link_to_known(entry, dir->get(), name)) {
    return true;
  }
  sys::remove_tree(layer_.staging, kRaised);
  if (entry.kind == EntryKind::File) {
    stage_file(from_dir.get(), name, other);
  } else {
    stage_node(entry, from_dir.get(), name);
  }
  place(dir->get(), name);
  if (entry.nlink > 1 && entry.kind != EntryKind::Directory) {
    linked_.emplace(entry.ino, path);
  }
  return true;
}

bool Raiser::copy_up(const std::string& path, const std::optional<OtherContent>& other) {
  return put(lower_, How::Copy, path, other);
}

bool Raiser::move_in(int from, const std::string& path) {
  return put(from, How::Move, path, std::nullopt);
}

}  // namespace shadow::overlay
