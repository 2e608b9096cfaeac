// SPDX-License-Identifier: MIT
// Paths that a run must not read: login data in the home, sockets of the host's services, secret
// files inside the project.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sandbox {

// Home-relative paths masked in every mode of the home, `extra` (of the configuration) among them.
// None is below another. Throws Error for an extra path that is absolute or has a ".." in it.
[[nodiscard]] std::vector<std::string> home_masks(const std::vector<std::string>& extra);

// Absolute paths of sockets of the host's services through which a process leaves any sandbox:
// container engines, D-Bus, virtual machines, package managers. A read-only mount does not keep a
// process from connecting to a socket; covering it does. Outside of /run, which is covered as a
// whole, their directories: a mount on a socket goes away with it when the service starts anew.
// Those below /tmp, /run/user and the home are out of reach already.
[[nodiscard]] const std::vector<std::string>& host_sockets();

// True if --hide-secrets masks this file: `path` is relative to the project, `extra` are patterns
// of the configuration. A pattern without a slash is matched with the last component, one with a
// slash with the whole path.
[[nodiscard]] bool is_secret_file(std::string_view path, const std::vector<std::string>& extra);

}  // namespace shadow::sandbox
