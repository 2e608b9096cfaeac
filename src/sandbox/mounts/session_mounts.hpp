// SPDX-License-Identifier: MIT
// The mounts that all runs of a live session share, built inside their fresh mount namespace.

#pragma once

#include "sandbox/setup/plan.hpp"

namespace shadow::sandbox {

// Turns the calling process' (fresh, unshared) mount namespace into the session's: host read-only,
// minimal /dev, private /tmp, /var/tmp, /dev/shm and /run, the home, and the project's view at its
// own path. Returns the home view that was possible. Throws Error (ExitCode::NotStarted).
HomeView build_session_mounts(const SessionPlan& plan);

}  // namespace shadow::sandbox
