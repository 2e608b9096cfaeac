// SPDX-License-Identifier: MIT
// /run of a session.

#pragma once

#include "sys/files/fd.hpp"

#include <string>
#include <vector>

namespace shadow::sandbox {

// The parts of the host's /run that a run needs: name resolution and NixOS' system profile. The
// sockets of daemons (docker, D-Bus, podman, containerd, snapd, the user's own below /run/user) all
// live in /run, and a read-only mount does not keep anyone from connecting to them, so the rest is
// covered.
struct KeptRun {
  std::string path;
  sys::Fd mount;
  bool directory = true;
};
[[nodiscard]] std::vector<KeptRun> take_run();

// Covers /run with a tmpfs holding these and an empty /run/user/UID.
void build_run(const std::vector<KeptRun>& kept);

}  // namespace shadow::sandbox
