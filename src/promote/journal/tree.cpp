// SPDX-License-Identifier: MIT
#include "promote/journal/tree.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "store/contents/blobs.hpp"
#include "sys/files/beneath.hpp"

#include <cerrno>

#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::promote {
namespace {

// For filesystems whose rename knows no flags (NFS, some FUSE): link(2) refuses an existing name
// too. What cannot be linked (a directory) is renamed after a look.
void move_without_flags(const Place& from, const Place& to) {
  if (::linkat(from.fd(), from.name.c_str(), to.fd(), to.name.c_str(), 0) == 0) {
    if (::unlinkat(from.fd(), from.name.c_str(), 0) != 0) {
      throw_errno("remove " + quoted(from.name));
    }
    return;
  }
  if (errno == EEXIST) {
    throw_errno("write " + quoted(to.name));
  }
  if (overlay::look_at(to.fd(), to.name).exists()) {
    throw SysError{EEXIST, "write " + quoted(to.name)};
  }
  if (::renameat(from.fd(), from.name.c_str(), to.fd(), to.name.c_str()) != 0) {
    throw_errno("write " + quoted(to.name));
  }
}

}  // namespace

Tree::Tree(const std::string& project)
    : root_{
          std::make_shared<sys::Fd>(sys::open_path(project, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))} {
}

Place Tree::place(std::string_view path) const {
  if (!sys::is_plain_relative(path)) {
    throw Error{"cannot write " + quoted(path) + ": not a path inside the project"};
  }
  const sys::SplitPath parts = sys::split_path(path);
  if (parts.parent.empty()) {
    return {root_, std::string{parts.name}};
  }
  // Resolved anew for every step: a directory that was moved out of the project meanwhile must not
  // be written to by a descriptor that was opened when it was still inside.
  auto dir =
      std::make_shared<sys::Fd>(sys::open_beneath(root(), parts.parent, O_PATH | O_DIRECTORY));
  return {dir, std::string{parts.name}};
}

std::optional<Place> Tree::find_place(std::string_view path) const {
  try {
    return place(path);
  } catch (const SysError& error) {
    const int why = error.errno_value();
    if (sys::is_missing(why)) {
      return std::nullopt;
    }
    throw;
  }
}

Place Tree::place_near(const Place& near, std::string_view near_path, std::string_view path) const {
  const sys::SplitPath parts = sys::split_path(path);
  const bool beside =
      sys::is_plain_relative(path) && parts.parent == sys::split_path(near_path).parent;
  return beside ? Place{near.dir, std::string{parts.name}} : place(path);
}

Entry Tree::look(const Place& at) {
  return overlay::look_at(at.fd(), at.name);
}

Entry Tree::look(std::string_view path) const {
  const auto at = find_place(path);
  return at ? look(*at) : Entry{};
}

std::string Tree::content_hash(std::string_view path) const {
  const sys::Fd fd = sys::try_open_beneath(root(), path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  if (!fd && !sys::is_missing(errno)) {
    throw_errno("read " + quoted(path));
  }
  return fd ? to_hex(store::hash_file(fd.get())) : std::string{};
}

sys::Fd Tree::node(std::string_view path) const {
  const Place at = place(path);
  return sys::open_at(at.fd(), at.name, O_PATH | O_NOFOLLOW);
}

void Tree::move(std::string_view from, std::string_view to) const {
  const Place source = place(from);
  const Place target = place(to);
  if (::renameat2(source.fd(), source.name.c_str(), target.fd(), target.name.c_str(),
                  RENAME_NOREPLACE) != 0) {
    if (errno != EINVAL && errno != ENOSYS) {
      const bool away = sys::split_path(to).name.starts_with(kStagingName);
      throw_errno(away ? "take away " + quoted(from) : "write " + quoted(to));
    }
    move_without_flags(source, target);
  }
}

bool Tree::exchange(const Place& a, const Place& b) {
  if (::renameat2(a.fd(), a.name.c_str(), b.fd(), b.name.c_str(), RENAME_EXCHANGE) == 0) {
    return true;
  }
  if (errno == EINVAL || errno == ENOSYS) {
    return false;
  }
  throw_errno("write " + quoted(b.name));
}

bool Tree::exchange(std::string_view a, std::string_view b) const {
  const Place first = place(a);
  return exchange(first, place_near(first, a, b));
}

void Tree::remove_file(std::string_view path) const {
  const Place at = place(path);
  if (::unlinkat(at.fd(), at.name.c_str(), 0) != 0 && errno != ENOENT) {
    throw_errno("remove " + quoted(path));
  }
}

bool Tree::remove_directory(std::string_view path) const {
  const Place at = place(path);
  if (::unlinkat(at.fd(), at.name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) {
    return true;
  }
  if (errno == ENOTEMPTY || errno == EEXIST) {
    return false;
  }
  throw_errno("remove directory " + quoted(path));
}

void Tree::set_mode(std::string_view path, std::uint32_t mode) const {
  const sys::Fd fd = node(path);
  // fchmod refuses O_PATH descriptors; through /proc it reaches exactly this inode.
  if (::chmod(sys::proc_path(fd.get()).c_str(), mode) != 0) {
    throw_errno("change the mode of " + quoted(path));
  }
}

void Tree::sync() const {
  if (::syncfs(root()) != 0) {
    throw_errno("sync the project to disk");
  }
}

}  // namespace shadow::promote
