// SPDX-License-Identifier: MIT
// overlayfs' on-disk format of an upper, in the form that `userxattr` mounts write: the words of
// Documentation/filesystems/overlayfs.rst (whiteout, opaque, origin) and nothing of ours.

#pragma once

#include "shadow/entry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow::overlay {

// Attributes that anybody may give a file, and those of them that overlayfs takes for its own.
inline constexpr std::string_view kUserAttributes = "user.";
inline constexpr std::string_view kOwnAttributes = "user.overlay.";

// A character device 0:0: the name is deleted.
[[nodiscard]] bool is_whiteout(const Entry& entry);

// The same for the entry `name` of an upper's directory, in both forms: an empty regular file with
// user.overlay.whiteout hides the name too (since Linux 6.7; tools make it, overlayfs does not).
// Looks at the attribute of empty files only.
[[nodiscard]] bool is_whiteout_at(int dirfd, const std::string& name, const Entry& entry);

// True if the directory hides the lower one of the same name (user.overlay.opaque is "y"). The
// kernel ignores the attribute at an upper's root.
[[nodiscard]] bool is_opaque(int dirfd);
// The same by path, below the root of an upper; false where no directory is.
[[nodiscard]] bool is_opaque_directory(int upper, std::string_view path);

void make_whiteout(int dirfd, const std::string& name);
void set_opaque(int dirfd);
void clear_opaque(int dirfd);

// True for the attribute that overlayfs gives a file or directory as it copies it up
// (user.overlay.origin); and if an open one has it.
[[nodiscard]] bool is_origin(std::string_view attribute);
[[nodiscard]] bool has_origin(int fd);
// The same by path, below the root of an upper; false where nothing is.
[[nodiscard]] bool is_copied_up(int upper, const std::string& path);

// The user.* attributes of an entry of either layer as the view shows them: overlayfs' own left
// out, escaped ones (user.overlay.overlay.*, what a run itself wrote as user.overlay.*) unescaped.
// Sorted by name.
using Xattrs = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] Xattrs user_xattrs(int fd);

constexpr const char* kCapability = "security.capability";

// Everything that a review reports: these, the ACLs (with the ids of sys/namespaces/acl.hpp), and
// whether there are file capabilities and an origin. One call for an entry that has none of it.
struct Attributes {
  Xattrs user;
  std::optional<std::string> access_acl;
  std::optional<std::string> default_acl;
  bool capabilities = false;
  bool origin = false;
};
[[nodiscard]] Attributes attributes_of(int fd);

}  // namespace shadow::overlay
