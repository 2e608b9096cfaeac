// SPDX-License-Identifier: MIT
// Changes of the session's mounts by one run's policy, inside its own mount namespace.

#pragma once

#include "sandbox/mounts/init_context.hpp"

namespace shadow::sandbox {

// A fresh /proc of the run's pid namespace; for a root caller with the parts read-only that trust
// uid 0 by its number (/proc/sys, sysrq-trigger, ...), and with rights over files with all that is
// no process.
void mount_proc(CallerIds ids, const OwnerRights& rights);

// --tmp-size, --home of another kind than the session's, --rw, --ro, --hide, in this order.
void apply_run_mounts(const InitContext& context);

}  // namespace shadow::sandbox
