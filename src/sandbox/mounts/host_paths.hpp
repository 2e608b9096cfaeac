// SPDX-License-Identifier: MIT
// Real paths that a policy hands through (--ro, --rw), from below what the session's mounts cover.

#pragma once

#include "sandbox/mounts/home.hpp"
#include "sandbox/setup/plan.hpp"
#include "sys/files/fd.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow::sandbox {

struct HostPath {
  std::string path;
  sys::Fd mount;  // detached
};

// Real paths that a run takes from below the session's mounts.
struct FromHost {
  std::vector<HostPath> paths;
  std::optional<Home> home;  // for a run that has another home than the session
};

// Detached mounts of the run's read_write paths (writable) and of those of its read_only paths that
// lie outside of the project. To be called in the session's namespaces: only there may the
// read-only flag be cleared. It looks below the home's overlay, the private /run, /tmp, ... in a
// mount namespace of its own for the moment, where it takes those away. Nothing is done without
// such paths.
[[nodiscard]] FromHost take_from_host(const SessionPlan& session, const RunPlan& run,
                                      HomeView session_home);

// Attaches them in the run's view; a path that the view does not have (it is masked) is made.
void attach_host_path(int mount, const std::string& path);

[[nodiscard]] bool is_in_project(const SessionPlan& session, const std::string& path);

}  // namespace shadow::sandbox
