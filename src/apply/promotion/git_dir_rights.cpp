// SPDX-License-Identifier: MIT
#include "apply/promotion/git_dir_rights.hpp"

#include "shadow/apply.hpp"

#include "sys/files/beneath.hpp"
#include "sys/namespaces/acl.hpp"

#include <optional>
#include <string>
#include <string_view>

#include <fcntl.h>

namespace shadow::apply {

namespace {

// Of the directory of the project's in which a path, or what is to hold it, is made.
std::optional<std::string> default_acl_around(int lower, std::string_view path) {
  while (!path.empty()) {
    path = sys::split_path(path).parent;
    if (const sys::Fd directory = sys::try_open_beneath(lower, path, O_PATH | O_DIRECTORY)) {
      return sys::get_acl(directory.get(), sys::kDefaultAcl);
    }
  }
  return std::nullopt;
}

// As the kernel hands them down. Of the ACL that a file has by it the mode is a part.
Xattrs handed_down(const std::optional<std::string>& acl, EntryKind kind) {
  Xattrs attributes;
  if (acl) {
    attributes.emplace(sys::kAccessAcl, *acl);
    if (kind == EntryKind::Directory) {
      attributes.emplace(sys::kDefaultAcl, *acl);
    }
  }
  return attributes;
}

}  // namespace

void add_steps_in_git_dir(int lower, Change change, std::vector<Step>& steps) {
  change.after.mode &= ~change.beyond_umask;
  const std::size_t first = steps.size();
  add_steps(steps, change);
  if (change.kind != ChangeKind::Added) {
    return;
  }
  const std::optional<std::string> acl = default_acl_around(lower, change.path);
  if (!acl && !change.has_attributes) {
    return;
  }
  for (std::size_t i = first; i < steps.size(); ++i) {
    steps[i].xattrs = handed_down(acl, change.after.kind);
  }
}

}  // namespace shadow::apply
