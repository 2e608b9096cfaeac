// SPDX-License-Identifier: MIT
#include "live/copy_entry.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/attributes.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/files/xattr.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace shadow::live {
namespace {

constexpr int kNode = O_PATH | O_NOFOLLOW;
constexpr mode_t kUsualDirectory = 0755;

void make_node(const Entry& like, int dir, const std::string& name) {
  int made = 0;
  if (like.kind == EntryKind::Symlink) {
    made = ::symlinkat(like.target.str().c_str(), dir, name.c_str());
  } else {
    const mode_t type = like.kind == EntryKind::Fifo ? S_IFIFO : S_IFSOCK;
    made = ::mknodat(dir, name.c_str(), type | S_IRUSR | S_IWUSR, 0);
  }
  if (made != 0) {
    throw_errno("make " + quoted(name) + " in the view");
  }
}

StaleError stale(const std::string& path) {
  return StaleError{"cannot copy " + quoted(path) + ": it changes all the time",
                    "try again",
                    ExitCode::Refused,
                    {path}};
}

sys::Fd new_file(int dir, const std::string& name) {
  return sys::open_at(dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR | S_IWUSR);
}

std::array<timespec, 2> times_of(int file) {
  struct stat st {};
  if (::fstat(file, &st) != 0) {
    throw_errno("look at a file");
  }
  return {st.st_atim, st.st_mtim};
}

void take_times(int from, int dir, const std::string& name) {
  if (::utimensat(dir, name.c_str(), times_of(from).data(), AT_SYMLINK_NOFOLLOW) != 0) {
    throw_errno("set the time of a file");
  }
}

void copy_file(int from, int to) {
  sys::copy_contents(from, to);
  overlay::copy_owner(from, to);
  overlay::copy_attributes(from, to);
  if (::futimens(to, times_of(from).data()) != 0) {
    throw_errno("set the time of a file");
  }
}

void require_same(int tree, const std::string& path, const Entry& entry) {
  const Entry after = overlay::look_beneath(tree, path);
  if (after.kind != entry.kind || !same_state(after, entry)) {
    throw stale(path);
  }
}

Entry copy_one(int tree, const std::string& path, int dir, const std::string& name) {
  Entry entry = overlay::look_beneath(tree, path);
  if (!entry.exists() || entry.kind == EntryKind::Directory) {
    throw stale(path);
  }
  if (entry.kind == EntryKind::Device) {
    throw Error{"cannot restore " + quoted(path) + ": it is a device"};
  }
  if (entry.kind == EntryKind::File) {
    const sys::Fd from = sys::open_beneath(tree, path, O_RDONLY | O_NONBLOCK);
    copy_file(from.get(), new_file(dir, name).get());
  } else {
    const sys::Fd from = sys::open_beneath(tree, path, kNode);
    make_node(entry, dir, name);
    const sys::Fd to = sys::open_at(dir, name, kNode);
    overlay::copy_owner(from.get(), to.get());
    if (entry.kind != EntryKind::Symlink) {
      overlay::copy_attributes(from.get(), to.get());
    }
    take_times(from.get(), dir, name);
  }
  require_same(tree, path, entry);
  return entry;
}

}  // namespace

Entry make_directory_like(int lower, const std::string& path, int dir, const std::string& name) {
  if (::mkdirat(dir, name.c_str(), S_IRWXU) != 0) {
    throw_errno("make directory " + quoted(name) + " in the view");
  }
  const sys::Fd to = sys::open_at(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const sys::Fd from = sys::try_open_beneath(lower, path, O_PATH | O_DIRECTORY);
  if (!from) {
    if (::fchmod(to.get(), kUsualDirectory) != 0) {
      throw_errno("set the mode of a directory");
    }
    return {};
  }
  overlay::copy_owner(from.get(), to.get());
  overlay::copy_attributes(from.get(), to.get());
  take_times(from.get(), dir, name);
  return overlay::look_fd(from.get());
}

void write_content(int to, const overlay::NewContent& content) {
  sys::write_all(to, content.bytes);
  overlay::copy_owner(content.attributes_of, to);
  overlay::copy_attributes(content.attributes_of, to);
  if (::fchmod(to, content.mode) != 0) {
    throw_errno("set the mode of a file");
  }
}

Entry copy_content(int tree, const std::string& path, int to) {
  Entry entry = overlay::look_beneath(tree, path);
  if (entry.kind != EntryKind::File) {
    throw stale(path);
  }
  const sys::Fd from = sys::open_beneath(tree, path, O_RDONLY | O_NONBLOCK);
  copy_file(from.get(), to);
  require_same(tree, path, entry);
  return entry;
}

bool take_attributes(int from, int to) {
  const overlay::Attributes wanted = overlay::attributes_of(from);
  const overlay::Attributes own = overlay::attributes_of(to);
  if (overlay::look_fd(from).mode == overlay::look_fd(to).mode && wanted.user == own.user &&
      wanted.access_acl == own.access_acl && wanted.default_acl == own.default_acl) {
    return false;
  }
  for (const std::string& name : sys::list_xattrs(to)) {
    if ((name.starts_with("user.") || name.starts_with("system.posix_acl_")) &&
        ::fremovexattr(to, name.c_str()) != 0 && errno != ENODATA && errno != EOPNOTSUPP) {
      throw_errno("remove attribute " + quoted(name));
    }
  }
  overlay::copy_attributes(from, to);
  return true;
}

std::map<std::string, Entry> copy_to(int tree, const std::string& path, int dir,
                                     const std::string& name) {
  std::map<std::string, Entry> copied;
  std::vector<std::pair<std::string, std::string>> left = {{path, name}};
  std::vector<std::pair<std::string, std::string>> directories;
  while (!left.empty()) {
    const auto [from, to] = std::move(left.back());
    left.pop_back();
    const auto [parent, last] = sys::open_parent_beneath(dir, to);
    const sys::Fd listed = sys::try_open_beneath(tree, from, O_RDONLY | O_DIRECTORY);
    if (!listed) {
      copied.insert_or_assign(from, copy_one(tree, from, parent.get(), last));
      continue;
    }
    copied.insert_or_assign(from, make_directory_like(tree, from, parent.get(), last));
    directories.emplace_back(from, to);
    for (const sys::DirEntry& child : sys::list_dir(listed.get())) {
      left.emplace_back(sys::join_path(from, child.name), sys::join_path(to, child.name));
    }
  }
  // Creating their entries changed their times.
  std::reverse(directories.begin(), directories.end());
  for (const auto& [from, to] : directories) {
    const sys::Fd source = sys::open_beneath(tree, from, O_PATH | O_DIRECTORY);
    const auto [parent, last] = sys::open_parent_beneath(dir, to);
    take_times(source.get(), parent.get(), last);
  }
  return copied;
}

}  // namespace shadow::live
