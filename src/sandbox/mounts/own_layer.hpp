// SPDX-License-Identifier: MIT
// A layer over nothing: what a session has for itself alone, with no tree of the host below.
//
// Bound from the state as it is, such a directory would say in mountinfo where in the state it
// lies, on a filesystem whose root the run sees. Programs that build a sandbox of their own (Codex)
// conclude from that line that the mount has a second name, and fail over the name, which leads
// nowhere in a run. An overlay is a filesystem by itself: it has no other name.

#pragma once

#include "sys/files/fd.hpp"

#include <string>

namespace shadow::sandbox {

struct OwnLayer {
  const char* name;
  const char* former;  // where version 0.1.0 kept what is in its upper now
};
inline constexpr OwnLayer kTemporaryLayer{"temporary", "tmp"};
inline constexpr OwnLayer kPrivateHome{"home-private", "private-home"};
inline constexpr OwnLayer kAllowedHome{"home-allowed", "allowed-home"};

// Makes NAME/{lower,upper,work} in a session's directory unless they are there; returns NAME.
sys::Fd make_own_layer(int session, const OwnLayer& layer);

// Mounts it, detached; see mount_overlay().
[[nodiscard]] sys::Fd mount_own_layer(const std::string& session_directory, const OwnLayer& layer);

}  // namespace shadow::sandbox
