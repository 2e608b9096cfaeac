// SPDX-License-Identifier: MIT
// Lectic's script files in a run.

#pragma once

#include "sandbox/setup/plan.hpp"

namespace shadow::sandbox {

// A script of a Lectic tool is a file .lectic_script-UUID beside the project's own for as long as
// it runs, and `git add -A` in it would commit it. In a run that Lectic starts, git's own list of
// what a repository ignores (info/exclude) has the pattern too: by a mount over that file, so that
// the session has no change of it, and the user's lists hold as they are.
void ignore_lectic_scripts(const SessionPlan& session, const RunPlan& run);

}  // namespace shadow::sandbox
