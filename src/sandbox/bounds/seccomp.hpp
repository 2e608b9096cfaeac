// SPDX-License-Identifier: MIT
// The seccomp filter of every run. It denies, on every ABI of the machine,
//   ioctl TIOCSTI and TIOCLINUX (EPERM): typing into the caller's terminal, which would run
//   commands outside once the run has ended;
//   add_key, request_key and keyctl (ENOSYS): keys live outside of the namespaces.
// A run with a network namespace of its own may not make sockets to the hypervisor (AF_VSOCK) and
// no io_uring either. Nothing else: what a run may touch is decided by mounts and namespaces, and
// an agent's tools use all of the rest.

#pragma once

#include "policy/policy.hpp"

#include <vector>

#include <linux/filter.h>

namespace shadow::sandbox {

// The program, as made by libseccomp when shadow was built.
[[nodiscard]] std::vector<sock_filter> terminal_filter();

// Puts it on the calling thread and its future children, for good. Needs no_new_privs to be set.
// Returns 0, or an errno. Async-signal-safe.
[[nodiscard]] int install_terminal_filter(policy::Network network = policy::Network::Host) noexcept;

// The filter of shadow-proxy, for all threads that it has: no new process or thread, no program, no
// look at other processes, no mounts, no namespaces, no second way into the kernel (EPERM). Returns
// 0 or an errno.
[[nodiscard]] int install_proxy_filter() noexcept;

}  // namespace shadow::sandbox
