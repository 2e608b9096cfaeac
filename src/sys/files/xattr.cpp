// SPDX-License-Identifier: MIT
#include "sys/files/xattr.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/fd.hpp"

#include <cerrno>

#include <sys/xattr.h>

namespace shadow::sys {
namespace {

// A value or a list may grow between the call that asks for the size and the one that reads it.
template <class Call>
std::optional<std::string> read_growing(const Call& call, const std::string& what) {
  std::string value(256, '\0');
  for (;;) {
    const ssize_t length = call(value.data(), value.size());
    if (length >= 0) {
      value.resize(static_cast<std::size_t>(length));
      return value;
    }
    if (errno == ERANGE) {
      value.resize(value.size() * 4);
      continue;
    }
    if (errno == ENODATA || errno == EOPNOTSUPP || errno == EPERM || errno == EACCES) {
      return std::nullopt;
    }
    throw_errno(what);
  }
}

// The calls that take a descriptor refuse one of O_PATH (EBADF); the way through /proc takes all,
// but costs a path lookup each time.
template <class Direct, class ByPath>
ssize_t on_descriptor(int fd, const Direct& direct, const ByPath& by_path) {
  const ssize_t length = direct();
  return length < 0 && errno == EBADF ? by_path(proc_path(fd).c_str()) : length;
}

std::vector<std::string> names_in(const std::optional<std::string>& list) {
  std::vector<std::string> names;
  if (list && !list->empty()) {
    names = split(*list, '\0');
    names.pop_back();  // each name ends in NUL
  }
  return names;
}

}  // namespace

std::optional<std::string> get_xattr(int fd, const std::string& name) {
  return read_growing(
      [&](char* value, std::size_t size) {
        return on_descriptor(
            fd, [&] { return ::fgetxattr(fd, name.c_str(), value, size); },
            [&](const char* path) { return ::getxattr(path, name.c_str(), value, size); });
      },
      "read attribute " + quoted(name));
}

std::vector<std::string> list_xattrs(int fd) {
  return names_in(read_growing(
      [&](char* value, std::size_t size) {
        return on_descriptor(
            fd, [&] { return ::flistxattr(fd, value, size); },
            [&](const char* path) { return ::listxattr(path, value, size); });
      },
      "list attributes"));
}

std::vector<std::string> list_xattrs_at(int dirfd, const std::string& entry) {
  const std::string path = proc_path(dirfd) + '/' + entry;
  return names_in(read_growing(
      [&](char* value, std::size_t size) {
        const ssize_t length = ::llistxattr(path.c_str(), value, size);
        return length < 0 && errno == ENOENT ? 0 : length;
      },
      "list attributes"));
}

void set_xattr(int fd, const std::string& name, const std::string& value) {
  if (::setxattr(proc_path(fd).c_str(), name.c_str(), value.data(), value.size(), 0) != 0) {
    throw_errno("set attribute " + quoted(name));
  }
}

void remove_xattr(int fd, const std::string& name) {
  if (::removexattr(proc_path(fd).c_str(), name.c_str()) != 0 && errno != ENODATA) {
    throw_errno("remove attribute " + quoted(name));
  }
}

}  // namespace shadow::sys
