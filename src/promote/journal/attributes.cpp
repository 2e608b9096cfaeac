// SPDX-License-Identifier: MIT
#include "promote/journal/attributes.hpp"

#include "shadow/error.hpp"

#include "base/posix_acl.hpp"
#include "base/text.hpp"
#include "overlay/format/format.hpp"
#include "overlay/read/acls.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/xattr.hpp"
#include "sys/namespaces/acl.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace shadow::promote {
namespace {

bool is_acl(std::string_view name) {
  return name == sys::kAccessAcl || name == sys::kDefaultAcl;
}

bool is_of_user(std::string_view name) {
  constexpr std::string_view kUser = "user.";
  constexpr std::string_view kOverlay = "user.overlay.";
  return name.starts_with(kUser) && !name.starts_with(kOverlay);
}

bool is_kept(std::string_view name) {
  return is_of_user(name) || is_acl(name) || (name == overlay::kCapability && ::geteuid() == 0);
}

std::optional<std::string> find(const Xattrs& attributes, const char* name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? std::nullopt : std::optional{found->second};
}

void put(Xattrs& attributes, const char* name, std::optional<std::string> value) {
  if (value) {
    attributes.insert_or_assign(name, *std::move(value));
  }
}

// Somewhere without ACLs, or one of ids that not even the caller can set.
bool takes_no_acl(int error) {
  return error == EOPNOTSUPP || error == EINVAL || error == EPERM;
}

void set(int fd, const std::string& name, const std::string& value) {
  if (name != overlay::kCapability) {
    sys::set_xattr(fd, name, value);
    return;
  }
  try {
    sys::set_xattr(fd, name, value);
  } catch (const SysError& error) {
    if (error.errno_value() != EPERM) {
      throw;  // root without CAP_SETFCAP, as in a container, had no way to give the file these
    }
  }
}

std::uint32_t set_acl(int fd, const std::string& name, const std::string& value,
                      std::uint32_t mode) {
  const bool access = name == sys::kAccessAcl;
  try {
    sys::set_acl(fd, name, access ? acl_with_mode(value, mode) : value);
    return mode;
  } catch (const SysError& error) {
    if (!takes_no_acl(error.errno_value())) {
      throw;
    }
    return access ? mode_without_acl(value, mode) : mode;
  }
}

}  // namespace

Xattrs attributes_of(int fd) {
  Xattrs attributes;
  for (const std::string& name : sys::list_xattrs(fd)) {
    if (is_kept(name)) {
      put(attributes, name.c_str(),
          is_acl(name) ? sys::get_acl(fd, name) : sys::get_xattr(fd, name));
    }
  }
  return attributes;
}

Xattrs attributes_of(const Place& at) {
  const auto names = sys::list_xattrs_at(at.fd(), at.name);
  if (std::none_of(names.begin(), names.end(), is_kept)) {
    return {};
  }
  return attributes_of(sys::open_at(at.fd(), at.name, O_PATH | O_NOFOLLOW).get());
}

Xattrs attributes_from(int source, const Row& row) {
  Xattrs wanted;
  for (const std::string& name : sys::list_xattrs(source)) {
    if (is_of_user(name)) {
      put(wanted, name.c_str(), sys::get_xattr(source, name));
    }
  }
  const bool replaces = row.before.kind == row.after.kind;
  overlay::Acls acls = overlay::acls_after(
      source, replaces ? overlay::Acls{find(row.before_xattrs, sys::kAccessAcl),
                                       find(row.before_xattrs, sys::kDefaultAcl)}
                       : overlay::Acls{});
  put(wanted, sys::kAccessAcl, std::move(acls.access));
  put(wanted, sys::kDefaultAcl, std::move(acls.inherited));
  return wanted;
}

Xattrs wanted_attributes(const ApplyRequest& request, const Step& step, const Row& row) {
  if (step.xattrs) {
    return *step.xattrs;
  }
  if (request.upper < 0 || !step.from_session) {
    return {};
  }
  const sys::Fd source = sys::try_open_beneath(request.upper, step.path, O_PATH);
  if (!source && sys::is_missing(errno)) {
    throw StaleError{
        "cannot read " + quoted(step.path) + ": it was changed in the session meanwhile",
        "look at the changes again",
        ExitCode::Refused,
        {step.path}};
  }
  if (!source) {
    throw_errno("open " + quoted(step.path));
  }
  return attributes_from(source.get(), row);
}

std::uint32_t mode_with(const Xattrs& wanted, const Row& row) {
  const auto acl = find(row.before_xattrs, sys::kAccessAcl);
  const bool goes = acl && row.before.kind == row.after.kind && !find(wanted, sys::kAccessAcl);
  const bool same_group = (row.before.mode & kGroupClass) == (row.after.mode & kGroupClass);
  return goes && same_group ? mode_without_acl(*acl, row.after.mode) : row.after.mode;
}

std::uint32_t set_attributes(int fd, const Xattrs& wanted, std::uint32_t mode) {
  const Xattrs present = attributes_of(fd);
  for (const auto& [name, value] : present) {
    if (wanted.count(name) == 0 && name != overlay::kCapability) {
      sys::remove_xattr(fd, name);
    }
  }
  for (const auto& [name, value] : wanted) {
    if (is_acl(name)) {
      mode = set_acl(fd, name, value, mode);
    } else if (find(present, name.c_str()) != value) {
      set(fd, name, value);
    }
  }
  return mode;
}

std::uint32_t set_attributes_of(Tree& tree, const std::string& path, const Entry& now,
                                const Xattrs& wanted, std::uint32_t mode) {
  const sys::Fd fd = tree.node(path);
  if (attributes_of(fd.get()) == wanted) {
    return mode;
  }
  // setxattr(2) asks for write permission, also of the owner.
  if ((now.mode & kOwnerWrite) != kOwnerWrite) {
    tree.set_mode(path, now.mode | kOwnerWrite);
  }
  return set_attributes(fd.get(), wanted, mode);
}

}  // namespace shadow::promote
