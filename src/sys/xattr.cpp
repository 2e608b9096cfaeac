// SPDX-License-Identifier: MIT
#include "sys/xattr.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/fd.hpp"

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

}  // namespace

std::optional<std::string> get_xattr(int fd, const std::string& name) {
  const std::string path = proc_path(fd);
  return read_growing(
      [&](char* value, std::size_t size) {
        return ::getxattr(path.c_str(), name.c_str(), value, size);
      },
      "read attribute " + quoted(name));
}

std::vector<std::string> list_xattrs(int fd) {
  const std::string path = proc_path(fd);
  const std::optional<std::string> list = read_growing(
      [&](char* value, std::size_t size) { return ::listxattr(path.c_str(), value, size); },
      "list attributes");
  std::vector<std::string> names;
  if (list && !list->empty()) {
    names = split(*list, '\0');
    names.pop_back();  // each name ends in NUL
  }
  return names;
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
