// SPDX-License-Identifier: MIT
// Files with one text, of which nothing tells which one got a new name.

#pragma once

#include "shadow/base.hpp"
#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "session/directory/review_session.hpp"

#include <cstddef>
#include <vector>

namespace shadow::changes {

// True if what the session has at the new name (`to`) may as well be another file than
// `sources[source]`, which had that base: another one that it deletes, or, where overlayfs does not
// say that the file was moved, one that is there still. Who moves a file, or copies it as mv(1)
// does from one filesystem to another, keeps its time of modification; where that does not tell two
// apart, the name in the directory does.
[[nodiscard]] bool may_be_another(const session::ReviewSession& session,
                                  const std::vector<PatchFile>& sources, std::size_t source,
                                  const Base& base, const ReviewItem& to);

}  // namespace shadow::changes
