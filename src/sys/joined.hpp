// SPDX-License-Identifier: MIT
// Opening what lies in the mount namespace of another process of the caller's. Rights over it are
// had only by who stands above its user namespace, and so not in one of one's own: see
// outer_namespace.hpp.

#pragma once

#include "sys/fd.hpp"

#include <cstdint>
#include <string>

#include <sys/types.h>

namespace shadow::sys {

// User and mount namespace as a process has them open, by its descriptors' numbers.
struct HeldNamespaces {
  pid_t holder = 0;
  int user_fd = -1;
  int mount_fd = -1;
};

enum class Refreshed : std::uint8_t { No, Yes };

// A directory as it is in those namespaces, opened to be read, no link on the way followed. A child
// enters them: this process stays where it is. With Refreshed::Yes the filesystem whose root it is
// forgets first what it had looked up (refresh_mount). Throws SysError.
[[nodiscard]] Fd open_joined(const HeldNamespaces& namespaces, const std::string& directory,
                             Refreshed refreshed);

}  // namespace shadow::sys
