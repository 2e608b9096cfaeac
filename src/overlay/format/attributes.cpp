// SPDX-License-Identifier: MIT
#include "overlay/format/attributes.hpp"

#include "shadow/entry.hpp"
#include "shadow/error.hpp"

#include "overlay/format/format.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/xattr.hpp"
#include "sys/namespaces/acl.hpp"

#include <cerrno>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::overlay {
namespace {

constexpr std::string_view kAcl = "system.posix_acl_";

bool is_taken(std::string_view name) {
  return (name.starts_with(kUserAttributes) && !name.starts_with(kOwnAttributes)) ||
         name.starts_with(kAcl);
}

}  // namespace

void copy_attributes(int from, int to) {
  struct stat st {};
  if (::fstat(from, &st) != 0) {
    throw_errno("look at a directory");
  }
  // The mode first: chmod(2) rewrites an ACL's mask, and the ACL that comes after it fits the mode.
  if (::chmod(sys::proc_path(to).c_str(), st.st_mode & kPermissionBits) != 0) {
    throw_errno("set the mode of a directory");
  }
  for (const std::string& name : sys::list_xattrs(from)) {
    if (!is_taken(name)) {
      continue;
    }
    const bool acl = name.starts_with(kAcl);
    const auto value = acl ? sys::get_acl(from, name) : sys::get_xattr(from, name);
    if (!value) {
      continue;
    }
    try {
      acl ? sys::set_acl(to, name, *value) : sys::set_xattr(to, name, *value);
    } catch (const SysError&) {
      continue;  // a filesystem without ACLs, a value too long for this one
    }
  }
}

void copy_owner(int from, int to) {
  struct stat wanted {};
  struct stat own {};
  if (::fstat(from, &wanted) != 0 || ::fstat(to, &own) != 0) {
    throw_errno("look at a file");
  }
  const bool same = wanted.st_uid == own.st_uid && wanted.st_gid == own.st_gid;
  if (!same && ::fchownat(to, "", wanted.st_uid, wanted.st_gid, AT_EMPTY_PATH) != 0 &&
      errno != EPERM && errno != EINVAL) {
    throw_errno("give a file its owner");
  }
}

}  // namespace shadow::overlay
