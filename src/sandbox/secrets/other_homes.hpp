// SPDX-License-Identifier: MIT
// The homes of others, which root can read as they can.

#pragma once

#include "sandbox/setup/plan.hpp"

#include <string>
#include <vector>

namespace shadow::sandbox {

// All homes but `home` of this machine, canonical: /root, those in /home, and those of users who
// log in and of the project's owner, who may be a service (from /etc/passwd). Empty for a caller
// who is not root.
[[nodiscard]] std::vector<std::string> homes_of_others(const std::string& home,
                                                       const std::string& project);

// Absolute paths of the secrets in `other_homes` that exist, outside of the project and of what
// leads to it. A link is followed within its home only: its owner is not to choose what root's run
// lacks.
[[nodiscard]] std::vector<std::string> secrets_of_others(const SessionPlan& plan);

}  // namespace shadow::sandbox
