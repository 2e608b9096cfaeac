// SPDX-License-Identifier: MIT
// Files with one text, of which nothing tells which one got a new name.

#pragma once

#include "shadow/base.hpp"
#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "changes/moves/gone_files.hpp"
#include "review/renames.hpp"
#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::changes {

// True if what the session has at the new name (`to`) may as well be another file than the source
// that it is paired with, which had that base: another of the `sources`, which it deletes, too, or
// one that is there still, of which it is a plain copy where overlayfs does not say that a file was
// moved. Who moves a file, or copies it as mv(1) does from one filesystem to another, keeps its
// time of modification; where that does not tell two apart, the name in the directory does.
[[nodiscard]] bool may_be_another(const session::ReviewSession& session, KnownPaths& known,
                                  const std::vector<PatchFile>& sources,
                                  const review::Rename& rename, const Base& base,
                                  const ReviewItem& to);

}  // namespace shadow::changes
