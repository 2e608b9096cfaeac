// SPDX-License-Identifier: MIT
// Reviewed changes as the files of a patch.

#pragma once

#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "session/review_session.hpp"

#include <cstdint>
#include <vector>

namespace shadow {

// From what to what a patch of a drifted path goes.
enum class Shown : std::uint8_t {
  Written,  // from the real file to what an apply makes of it, where the two sides go together
  Session   // from the base to the view: what the session did
};

// Files and symlinks; the rest has no patch. Of a conflict it is in any case what the session did,
// where the base is kept: and not the reverse of what the user did. The contents are borrowed from
// the session's two trees.
[[nodiscard]] std::vector<PatchFile> patch_files(const ReviewSession& session,
                                                 const std::vector<ReviewItem>& items, Shown shown);

}  // namespace shadow
