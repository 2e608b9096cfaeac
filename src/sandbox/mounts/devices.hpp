// SPDX-License-Identifier: MIT
// A minimal /dev.

#pragma once

#include "sys/files/fd.hpp"

#include <string>
#include <utility>
#include <vector>

namespace shadow::sandbox {

// null, zero, full, random, urandom and tty of the host's /dev, taken before it is covered.
struct DeviceNodes {
  std::vector<std::pair<const char*, sys::Fd>> nodes;
};
[[nodiscard]] DeviceNodes take_device_nodes();

// Covers /dev with a tmpfs that holds these, a pts instance of its own, an empty shm, and the usual
// links. No disks, no kvm, no fuse, whoever calls. A link by this name says which session it is,
// and whose ("ID/AGENT"): a process can tell by it that it is in a run.
inline constexpr const char* kSessionMark = "shadow-session";
void build_dev(DeviceNodes nodes, const std::string& session);

}  // namespace shadow::sandbox
