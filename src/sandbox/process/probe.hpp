// SPDX-License-Identifier: MIT
// Trying, in forked children, the steps that a run is made of. Nothing outlives a probe.

#pragma once

#include <functional>
#include <optional>
#include <string>

namespace shadow::sandbox {

struct ProbeFailure {
  std::string cause;
  std::string advice;
};
using ProbeResult = std::optional<ProbeFailure>;  // nullopt: it worked

// Runs `act` in a child; what it throws, or that it was killed, is the failure.
[[nodiscard]] ProbeResult probe_in_child(const std::function<void()>& act);

// The same in new user and mount namespaces, mapped as those of a session are, mounts private.
[[nodiscard]] ProbeResult probe_in_session(const std::function<void()>& act);

// The second level, as of a run: nested user, mount, pid, ipc and uts namespaces, a fresh /proc.
[[nodiscard]] ProbeResult probe_nested_namespaces();
// The same with a network namespace whose loopback comes up.
[[nodiscard]] ProbeResult probe_private_network();
// All mounts of the host made read-only.
[[nodiscard]] ProbeResult probe_read_only_host();
// Mounts DIRECTORY/layer/{upper,work} over DIRECTORY/lower, changes and deletes a file there.
[[nodiscard]] ProbeResult probe_overlay(const std::string& directory);
// Mounts the layer over `lower` without attaching it: nothing is written.
[[nodiscard]] ProbeResult probe_view(const std::string& lower, const std::string& layer);
// TIOCSTI is refused once the filter is installed.
[[nodiscard]] ProbeResult probe_terminal_filter();

}  // namespace shadow::sandbox
