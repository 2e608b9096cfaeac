// SPDX-License-Identifier: MIT
// A patch on its way out.

#pragma once

#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "apply/shown/shown.hpp"
#include "cli/output/output.hpp"
#include "session/directory/review_session.hpp"

#include <vector>

namespace shadow::cli {

// On a terminal, and with colours that are meant for one, the contents cannot steer it; anywhere
// else they are what `git apply` needs. `written` is as with write_patch.
void print_patch(const std::vector<PatchFile>& files, const PatchOptions& options, bool color,
                 Output& out, const PatchWritten& written = {});

// The same, and takes note in the session of what was shown by that, also where it ends early.
void print_shown_patch(const session::ReviewSession& session, const std::vector<PatchFile>& files,
                       const PatchOptions& options, bool color, Output& out);

// The same of what an apply would write, and before that both sides of each conflict that it would
// stop at, in lines that `git apply` passes over: they begin with "# ".
void print_review(const session::ReviewSession& session, std::vector<ReviewItem> items,
                  const PatchOptions& options, bool color, Output& out);

// What was shown of a session, kept with it; a note where that fails.
void keep_shown(const session::ReviewSession& session, apply::ShownNotes& notes);

}  // namespace shadow::cli
