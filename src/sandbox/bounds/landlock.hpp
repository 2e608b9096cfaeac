// SPDX-License-Identifier: MIT
// Landlock scopes: what namespaces of mounts and processes leave open.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::sandbox {

// Keeps the calling thread and its future children from connecting to abstract Unix sockets, and
// from signalling processes, of anyone outside. Needs no_new_privs. True when in force, false where
// the kernel has no scopes (before 6.12, or Landlock not enabled). Takes no rights on files: those
// would forbid every mount(2) in the run and with it nested sandboxes. Async-signal-safe.
[[nodiscard]] bool restrict_scopes() noexcept;

// Takes every right on files from the calling thread and its future children but to read what is at
// and below these paths; missing ones are left out. Needs no_new_privs. True when in force, false
// where the kernel has no Landlock.
[[nodiscard]] bool restrict_files(const std::vector<std::string>& readable);

// The kernel's Landlock ABI; 0 without Landlock. Scopes came with 6.
[[nodiscard]] int landlock_abi() noexcept;

// True if the kernel has Landlock and was started without it (landlock_create_ruleset(2),
// EOPNOTSUPP).
[[nodiscard]] bool is_landlock_off() noexcept;
constexpr int kLandlockScopeAbi = 6;

}  // namespace shadow::sandbox
