// SPDX-License-Identifier: MIT
// Calls that work only in the user namespace in which the process began.
//
// A process in its own user namespace sees all ids that are not mapped there as the same one and
// cannot set them; and it has no rights over the namespaces of its user's other processes. It
// cannot go back. So a child that stays outside, made before, does what needs those; it has the
// rights of the caller and no more, and ends with its parent.

#pragma once

#include "sys/files/fd.hpp"
#include "sys/files/writable_files.hpp"
#include "sys/namespaces/joined.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace shadow::sys {

// Makes the child, unless the kernel has none to give. To be called while the process has one
// thread.
void keep_outer_namespace();
void forget_outer_namespace();

// True if there is such a namespace; without one only this process's own ids are available.
[[nodiscard]] bool has_outer_namespace();

// The calls below are for such a process only. Descriptors may be O_PATH. Each throws SysError.
[[nodiscard]] std::optional<std::string> outer_get_xattr(int fd, const std::string& name);
void outer_set_xattr(int fd, const std::string& name, const std::string& value);
[[nodiscard]] std::uint32_t outer_group(int fd);
[[nodiscard]] std::uint32_t outer_user(int fd);
void outer_give_group(int fd, std::uint32_t group);
[[nodiscard]] Fd outer_open_joined(const HeldNamespaces& namespaces, const std::string& directory,
                                   Refreshing refreshing);
[[nodiscard]] std::vector<WritableFile> outer_writable_files(const std::vector<pid_t>& processes);

}  // namespace shadow::sys
