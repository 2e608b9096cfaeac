// SPDX-License-Identifier: MIT
// The input of a run's pid 1. Plain data.

#pragma once

#include "sandbox/mounts/host_paths.hpp"
#include "sandbox/setup/namespaces.hpp"
#include "sandbox/setup/plan.hpp"

#include <csignal>

namespace shadow::sandbox {

// The input that pid 1 gets from the process that created it.
struct InitContext {
  const RunPlan* plan = nullptr;
  const SessionPlan* session = nullptr;
  CallerIds ids;
  bool may_write_groups = false;      // in its control groups
  int report = -1;                    // write end of the report pipe
  int live_lock = -1;                 // kept open while the run lives
  int proxy = -1;                     // Network::Allow: the proxy's channel
  int maps_ready = -1;                // root callers: a byte arrives when the maps are written
  sigset_t command_mask{};            // signal mask that the command gets
  bool child_signal_ignored = false;  // the caller had SIGCHLD ignored
  bool size_signal_ignored = false;   // and SIGXFSZ
  const FromHost* from_host = nullptr;
};

}  // namespace shadow::sandbox
