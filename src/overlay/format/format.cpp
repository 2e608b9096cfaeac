// SPDX-License-Identifier: MIT
#include "overlay/format/format.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/xattr.hpp"
#include "sys/namespaces/acl.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include <sys/stat.h>

namespace shadow::overlay {
namespace {

constexpr const char* kOpaque = "user.overlay.opaque";
constexpr const char* kOrigin = "user.overlay.origin";
constexpr std::string_view kEscaped = "user.overlay.overlay.";

}  // namespace

bool is_whiteout(const Entry& entry) {
  return entry.kind == EntryKind::Device && entry.rdev == 0;
}

bool is_whiteout_at(int dirfd, const std::string& name, const Entry& entry) {
  if (entry.kind != EntryKind::File || entry.size != 0) {
    return is_whiteout(entry);
  }
  const sys::Fd node = sys::try_open_at(dirfd, name, O_PATH | O_NOFOLLOW);
  return node && sys::get_xattr(node.get(), "user.overlay.whiteout").has_value();
}

bool is_opaque(int dirfd) {
  return sys::get_xattr(dirfd, kOpaque) == "y";
}

bool is_opaque_directory(int upper, std::string_view path) {
  const sys::Fd dir = sys::try_open_beneath(upper, path, sys::kDirPath);
  return dir && is_opaque(dir.get());
}

void make_whiteout(int dirfd, const std::string& name) {
  // Device 0:0 is the one that anybody may make (since Linux 5.8).
  if (::mknodat(dirfd, name.c_str(), S_IFCHR, 0) != 0) {
    throw_errno("make a whiteout for " + quoted(name));
  }
}

void set_opaque(int dirfd) {
  sys::set_xattr(dirfd, kOpaque, "y");
}

void clear_opaque(int dirfd) {
  sys::remove_xattr(dirfd, kOpaque);
}

bool is_origin(std::string_view attribute) {
  return attribute == kOrigin;
}

bool has_origin(int fd) {
  return sys::get_xattr(fd, kOrigin).has_value();
}

bool is_copied_up(int upper, const std::string& path) {
  const sys::Fd entry = sys::try_open_beneath(upper, path, O_PATH);
  return entry && has_origin(entry.get());
}

Xattrs user_xattrs(int fd) {
  return attributes_of(fd).user;
}

Attributes attributes_of(int fd) {
  Attributes attributes;
  for (const std::string& name : sys::list_xattrs(fd)) {
    if (name == sys::kAccessAcl) {
      attributes.access_acl = sys::get_acl(fd, name);
    } else if (name == sys::kDefaultAcl) {
      attributes.default_acl = sys::get_acl(fd, name);
    } else if (name == kCapability) {
      attributes.capabilities = true;
    } else if (is_origin(name)) {
      attributes.origin = true;
    }
    if (!name.starts_with(kUserAttributes)) {
      continue;
    }
    std::string shown = name;
    if (name.starts_with(kOwnAttributes)) {
      if (!name.starts_with(kEscaped)) {
        continue;
      }
      shown = std::string{kOwnAttributes} + name.substr(kEscaped.size());
    }
    if (auto value = sys::get_xattr(fd, name)) {
      attributes.user.emplace_back(std::move(shown), std::move(*value));
    }
  }
  std::sort(attributes.user.begin(), attributes.user.end());
  return attributes;
}

}  // namespace shadow::overlay
