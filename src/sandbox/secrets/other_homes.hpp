// SPDX-License-Identifier: MIT
// Homes other than HOME that the caller can read: its own by /etc/passwd, and for root those of
// others.

#pragma once

#include "sandbox/setup/plan.hpp"

#include <string>
#include <vector>

namespace shadow::sandbox {

// Homes but `home` whose secrets a run must not read, canonical: the caller's own by /etc/passwd.
// For root all of this machine: /root, those in /home, those of passwd(5), also of services, and
// the topmost directory above the project that is its owner's.
[[nodiscard]] std::vector<std::string> homes_of_others(const std::string& home,
                                                       const std::string& project);

// Absolute paths of the secrets in `other_homes` that exist, outside of the project and of what
// leads to it. A link is followed within its home only: its owner is not to choose what root's run
// lacks.
[[nodiscard]] std::vector<std::string> secrets_of_others(const SessionPlan& plan);

}  // namespace shadow::sandbox
