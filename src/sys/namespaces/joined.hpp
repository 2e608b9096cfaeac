// SPDX-License-Identifier: MIT
// Opening what lies in the mount namespace of another process of the caller's. Rights over it are
// had only by who stands above its user namespace, and so not in one of one's own: see
// outer_namespace.hpp.

#pragma once

#include "sys/files/fd.hpp"

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

// How often the filesystem is told to forget cached names (refresh_mount). A name that is in use at
// that moment stays cached; `Often` catches the moments between two uses.
enum class Refreshing : std::uint8_t { Once, Often };

// The root of a filesystem as it is in those namespaces, opened to be read, no link on the way
// followed, and refreshed. A child enters them: this process stays where it is. Throws SysError.
[[nodiscard]] Fd open_joined(const HeldNamespaces& namespaces, const std::string& directory,
                             Refreshing refreshing);

}  // namespace shadow::sys
