// SPDX-License-Identifier: MIT
// The changes of a session: one value that status, diff, apply, discard and log all speak of.

#pragma once

#include "shadow/entry.hpp"
#include "shadow/rare_text.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow {

// What became of the real path in the view.
enum class ChangeKind : std::uint8_t {
  Added,        // in the view, not in the real tree
  Deleted,      // in the real tree, not in the view
  Modified,     // same type; content, link target, mode or extended attributes differ
  TypeChanged,  // file to directory, directory to symlink, ...
};

// One path whose view differs from the real tree. `path` is relative to the project, raw bytes,
// '/'-separated, without "." or "..". A directory that was added or deleted is listed itself and so
// is everything in it; on a TypeChanged from or to a directory the children are listed as Added or
// Deleted. `before` is the real entry, `after` the view's; the content of an `after` file is the
// file of the same path in the upper.
struct Change {
  std::string path;
  ChangeKind kind = ChangeKind::Modified;
  Entry before;
  Entry after;
  bool content_changed = false;  // bytes of a file, or target of a symlink
  bool mode_changed = false;
  bool xattrs_changed = false;  // user.* only, without overlayfs' own; of what is new: it has some
  bool acl_changed = false;     // POSIX ACLs, in what the mode does not tell

  // For a new entry: the rights of group and others that new files there do not get, by the default
  // ACL that the project has on the directory, else by the caller's umask(2).
  std::uint32_t beyond_umask = 0;

  // True if either side has user.* attributes or ACLs, changed or not.
  bool has_attributes = false;

  // True if overlayfs copied `after`, a file or a directory, from the project, under this name or
  // another; false for what was made in the session. (The kernel marks no other kind in a user
  // namespace.)
  bool copied_up = false;

  // The part of `after` that never comes to the project: setuid and setgid bits, and file
  // capabilities, that `before` has not.
  std::uint32_t left_bits = 0;
  bool left_capabilities = false;

  // Set when `after` is a hard link to a path that sorts earlier, or to one that is not a change
  // itself: the two are one inode in the view.
  RareText link_to;

  // Of those, one that an apply writes as a file of its own: the project has the other file.
  bool link_is_copy = false;
};

// Entries so deep that no program can name them: a path has at most 4095 bytes (PATH_MAX). They are
// neither listed nor applied, and stay in the session.
struct TooDeep {
  std::uint64_t names = 0;  // just below that depth; what lies below them is not counted
  std::string first;        // the directory that holds the first of them
};

// Changes sorted by path, bytewise, each path at most once.
struct ChangeSet {
  std::vector<Change> changes;
  TooDeep too_deep{};

  // Deletions of what the lower does not have, either: no changes.
  std::vector<std::string> gone{};

  // True if there is no change; the other two may have something.
  [[nodiscard]] bool empty() const { return changes.empty(); }
};

// "added", "deleted", "modified", "type changed"; and git's letter for it: A D M T.
[[nodiscard]] const char* to_word(ChangeKind kind);
[[nodiscard]] char to_letter(ChangeKind kind);

}  // namespace shadow
