// SPDX-License-Identifier: MIT
// Reviewed changes as the files of a patch.

#pragma once

#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "session/review_session.hpp"

#include <vector>

namespace shadow {

// Files and symlinks; the rest has no patch. Where the real file drifted and the base is kept, the
// patch is from the base: it then shows what the session did, and not the reverse of what the user
// did. The contents are borrowed from the session's two trees.
[[nodiscard]] std::vector<PatchFile> patch_files(const ReviewSession& session,
                                                 const std::vector<ReviewItem>& items);

}  // namespace shadow
