// SPDX-License-Identifier: MIT
// A patch on its way out.

#pragma once

#include "shadow/patch_text.hpp"
#include "shadow/workspace_changes.hpp"

#include "cli/output/output.hpp"

#include <string_view>

namespace shadow::cli {

// Writes pieces of a patch to `out`, with `prefix` before each line. On a terminal, and with
// colours that are meant for one, the contents cannot steer it; elsewhere they are as `git apply`
// needs them.
[[nodiscard]] PatchSink sink_to(Output& out, bool color, std::string_view prefix = {});

// Writes all of it, and before that both sides of each conflict that an apply would stop at, in
// lines that `git apply` passes over: they begin with "# ". Where a file cannot be read as it was
// looked at, takes back what `out` holds: if that is all, nothing counts as shown. The caller
// finishes the showing, once it is known to have been read.
void print_shown(workspace::Showing& showing, const PatchOptions& options, bool color, Output& out);

}  // namespace shadow::cli
