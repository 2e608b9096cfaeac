// SPDX-License-Identifier: MIT
#include "sys/namespaces/acl.hpp"

#include "shadow/error.hpp"

#include "base/posix_acl.hpp"
#include "sys/files/xattr.hpp"
#include "sys/namespaces/outer_namespace.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sys {
namespace {

struct stat stat_of(int fd) {
  struct stat st {};
  if (::fstat(fd, &st) != 0) {
    throw_errno("look at a file");
  }
  return st;
}

std::uint32_t own_view_of_group(int fd) {
  return stat_of(fd).st_gid;
}

bool may_not(int error) {
  return error == EPERM || error == EINVAL || error == EACCES;
}

}  // namespace

std::optional<std::string> get_acl(int fd, const std::string& name) {
  auto acl = get_xattr(fd, name);
  const bool foreign = acl && names_unmapped_id(*acl) && has_outer_namespace();
  return foreign ? outer_get_xattr(fd, name) : std::move(acl);
}

void set_acl(int fd, const std::string& name, const std::string& value) {
  try {
    set_xattr(fd, name, value);
  } catch (const SysError& error) {
    if (error.errno_value() != EINVAL || !has_outer_namespace()) {
      throw;
    }
    outer_set_xattr(fd, name, value);
  }
}

std::uint32_t user_of(int fd) {
  const std::uint32_t user = stat_of(fd).st_uid;
  return user != ::geteuid() && has_outer_namespace() ? outer_user(fd) : user;
}

std::uint32_t group_of(int fd) {
  const std::uint32_t group = own_view_of_group(fd);
  // Its own group is the only one that such a process knows.
  return group != ::getegid() && has_outer_namespace() ? outer_group(fd) : group;
}

bool give_group(int fd, std::uint32_t group) {
  if (own_view_of_group(fd) == group) {
    return true;
  }
  if (::fchownat(fd, "", static_cast<uid_t>(-1), group, AT_EMPTY_PATH) == 0) {
    return true;
  }
  if (!may_not(errno)) {
    throw_errno("give a file its group");
  }
  if (!has_outer_namespace()) {
    return false;
  }
  try {
    outer_give_group(fd, group);
    return true;
  } catch (const SysError& error) {
    if (!may_not(error.errno_value())) {
      throw;
    }
    return false;
  }
}

}  // namespace shadow::sys
