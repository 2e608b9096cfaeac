// SPDX-License-Identifier: MIT
// Room in the state for the pre-images that cannot be moved there.

#pragma once

#include "shadow/apply.hpp"

#include "promote/journal/journal.hpp"
#include "promote/journal/tree.hpp"

#include <string>
#include <vector>

namespace shadow::promote {

// Another name of the same inode, or another owner's descriptor, could still write to it.
[[nodiscard]] bool is_ours_alone(const Entry& entry);

// A file of which a copy is to be kept: where it lies, and the path that the user knows it by.
struct ToCopy {
  std::string at;
  std::string path;
};

// Throws Error when the copies do not fit into the filesystem of the state. A quota is not seen.
void require_room(const Tree& tree, const ApplySite& site, const std::vector<ToCopy>& files);

// The same before anything is written, for what the rows will replace: an apply that is done and
// cannot keep that has no undo, and no end.
void require_room_for_undo(const Tree& tree, const ApplySite& site, const Journal& journal);

// True if renaming moves a file between the two.
[[nodiscard]] bool is_on_filesystem(const Tree& tree, const std::string& path);

}  // namespace shadow::promote
