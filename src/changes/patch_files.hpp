// SPDX-License-Identifier: MIT
// Reviewed changes as the files of a patch.

#pragma once

#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace shadow::changes {

// Files and symlinks have one.
[[nodiscard]] bool has_patch(const Entry& entry);

// True for whatever has a mode and attributes of its own: all but symlinks. A patch shows the
// attributes of directories, FIFOs and sockets, and lists beside it show their modes.
[[nodiscard]] bool has_rights(const Entry& entry);

// The items that a review of files shows: those that an apply would write, and with Include ignored
// ones; none in a git directory.
enum class IgnoredItems : std::uint8_t { LeaveOut, Include };
[[nodiscard]] std::vector<ReviewItem> shown_items(ReviewSet set, IgnoredItems ignored);

// Files and symlinks; the rest has no patch. Of a conflict it is in any case what the session did,
// where the base is kept: and not the reverse of what the user did. The contents are borrowed from
// the session's two trees.
[[nodiscard]] std::vector<PatchFile> patch_files(const session::ReviewSession& session,
                                                 const std::vector<ReviewItem>& items, Shown shown);

// The items without a patch, of which only the attributes are shown.
[[nodiscard]] std::vector<PatchFile> without_patch(const session::ReviewSession& session,
                                                   const std::vector<ReviewItem>& items);

// The two sides of a conflict as patches from what both started from. `project` is what you did
// since, empty where nobody knows the start; `session` goes from your file then.
struct ConflictSides {
  std::optional<PatchFile> project;
  PatchFile session;
};

[[nodiscard]] ConflictSides conflict_sides(const session::ReviewSession& session,
                                           const ReviewItem& item);

}  // namespace shadow::changes
