// SPDX-License-Identifier: MIT
// Decides whether a run may create control group namespaces.
//
// In its own namespace a process may mount the control groups anew, without the read-only flag of
// the host's mount, and what it sees there begins at its own group. The files keep their owners. A
// run whose group belongs to the caller (root always; a user whose systemd delegated it; where
// limits made one) could lift its limits, make groups, or kill all that was started from the same
// terminal: such runs get no control group namespaces. Elsewhere there is nothing to write, and
// `bwrap --unshare-all` works.

#pragma once

#include "sandbox/setup/namespaces.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace shadow::sandbox {

struct GroupDirectory {
  uid_t owner = 0;
  mode_t mode = 0;
  bool leaf = true;  // has no groups in it, which may be another's
};
// nullopt where there is none to be seen.
using FindGroup = std::function<std::optional<GroupDirectory>(const std::string& path)>;

// True if `caller` might write in a group of a process with this membership (/proc/PID/cgroup), or
// below it. A group that cannot be found counts as writable. Pure.
[[nodiscard]] bool may_write_own_groups(std::string_view membership, uid_t caller,
                                        const FindGroup& find);

// The same of the process itself; root always might, where there are groups. Asked outside of the
// run: in it, a new /proc makes the look dearer than all else that a run's restrictions take.
[[nodiscard]] bool may_write_own_groups(const CallerIds& ids);

// In pid 1 of the run, with its own /proc.
void forbid_cgroup_namespaces();

}  // namespace shadow::sandbox
