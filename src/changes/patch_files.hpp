// SPDX-License-Identifier: MIT
// Reviewed changes as the files of a patch.

#pragma once

#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"

#include <optional>
#include <vector>

namespace shadow::changes {

// Files and symlinks have one.
[[nodiscard]] bool has_patch(const Entry& entry);

// True for whatever has a mode and attributes of its own: all but symlinks. A patch shows the
// attributes of directories, FIFOs and sockets, and lists beside it show their modes.
[[nodiscard]] bool has_rights(const Entry& entry);

// Files and symlinks; the rest has no patch. Of a conflict it is in any case what the session did,
// where the base is kept: and not the reverse of what the user did. A merge with a renamed file is
// one where both of its names are among the items, which are sorted by path. The contents are
// borrowed from the session's two trees.
[[nodiscard]] std::vector<PatchFile> patch_files(const session::ReviewSession& session,
                                                 const std::vector<ReviewItem>& items, Shown shown);

// The items without a patch, of which only the attributes are shown.
[[nodiscard]] std::vector<PatchFile> without_patch(const session::ReviewSession& session,
                                                   const std::vector<ReviewItem>& items);

// The two sides of a conflict as patches from what both started from. `project` is what you did
// since, empty where nobody knows the start; `session` goes from your file then. A file that the
// session renamed is two there, the second of them `new_name`.
struct ConflictSides {
  std::optional<PatchFile> project;
  std::vector<PatchFile> session;
};

[[nodiscard]] ConflictSides conflict_sides(const session::ReviewSession& session,
                                           const ReviewItem& item,
                                           const ReviewItem* new_name = nullptr);

}  // namespace shadow::changes
