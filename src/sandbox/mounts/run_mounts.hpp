// SPDX-License-Identifier: MIT
// Changes of the session's mounts by one run's policy, inside its own mount namespace.

#pragma once

#include "sandbox/mounts/init_context.hpp"

namespace shadow::sandbox {

// A fresh /proc of the run's pid namespace.
void mount_proc();

// Restricts that: no control group namespaces where the caller may write in its groups; for a root
// caller the parts read-only that trust uid 0 by its number (/proc/sys, sysrq-trigger, ...), and
// with rights over files all that is no process.
void limit_proc(const InitContext& context);

// --tmp-size, --home of another kind than the session's, --rw, --ro, --hide, in this order.
void apply_run_mounts(const InitContext& context);

}  // namespace shadow::sandbox
