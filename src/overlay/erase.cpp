// SPDX-License-Identifier: MIT
#include "overlay/erase.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/walk.hpp"
#include "sys/beneath.hpp"
#include "sys/fd.hpp"

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::overlay {
namespace {

// True when it is gone; false when it is a directory.
bool erase_file(int dirfd, const std::string& name) {
  if (::unlinkat(dirfd, name.c_str(), 0) == 0 || errno == ENOENT) {
    return true;
  }
  // EPERM is what POSIX says of a directory, and what an immutable file gives: rmdir tells.
  if (errno != EISDIR && errno != EPERM) {
    throw_errno("remove " + quoted(name));
  }
  return false;
}

// True when it is gone; false when something is in it.
bool erase_directory(int dirfd, const std::string& name) {
  if (::unlinkat(dirfd, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) {
    return true;
  }
  if (errno != ENOTEMPTY && errno != EEXIST) {
    throw_errno("remove " + quoted(name));
  }
  return false;
}

void allow_access(int dirfd, const std::string& name) {
  const sys::Fd node = sys::try_open_at(dirfd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  struct stat st {};
  if (node && ::fstat(node.get(), &st) == 0 && (st.st_mode & S_IRWXU) != S_IRWXU) {
    (void)::chmod(sys::proc_path(node.get()).c_str(), S_IRWXU);
  }
}

// Goes down into what could not be removed at once.
void enter(LevelStack& stack, int dirfd, const std::string& name) {
  allow_access(dirfd, name);
  stack.push(name, LevelStack::In::Upper);
}

void erase_tree(int dirfd) {
  LevelStack stack{dirfd, -1};
  stack.push({}, LevelStack::In::Upper);
  std::string name;
  for (;;) {
    const Side& dir = stack.top().upper;
    if (dir.present && stack.take_name(name)) {
      const int fd = dir.dir.get();
      if (!erase_file(fd, name) && !erase_directory(fd, name)) {
        enter(stack, fd, name);
      }
      continue;
    }
    const std::string done{sys::split_path(stack.path()).name};
    stack.pop();
    if (stack.empty()) {
      return;
    }
    const Side& parent = stack.top().upper;
    if (parent.present && !erase_directory(parent.dir.get(), done)) {
      errno = ENOTEMPTY;  // somebody puts things in while we take them out
      throw_errno("remove " + quoted(done));
    }
  }
}

}  // namespace

void erase(int dirfd, const std::string& name) {
  if (erase_file(dirfd, name) || erase_directory(dirfd, name)) {
    return;
  }
  allow_access(dirfd, name);
  const sys::Fd dir = sys::try_open_at(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!dir) {
    throw_errno("remove " + quoted(name));
  }
  erase_tree(dir.get());
  if (!erase_directory(dirfd, name)) {
    errno = ENOTEMPTY;
    throw_errno("remove " + quoted(name));
  }
}

}  // namespace shadow::overlay
