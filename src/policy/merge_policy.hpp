// SPDX-License-Identifier: MIT
// From layers to the policy of a run.

#pragma once

#include "policy/policy.hpp"

#include <vector>

namespace shadow::policy {

// The built-in default, the profile that the strongest layer names, then the layers in the order of
// their origins. Pure. Throws Error for an unknown profile.
[[nodiscard]] Policy merge_policy(std::vector<PolicyLayer> layers, const PolicyPlaces& places);

// Makes the paths of the rules canonical and refuses what would undo the isolation: the project,
// the home or what contains one of them made writable or hidden, anything that reaches the state
// directory. Drops rules of a profile whose path is missing. Looks at the disk only where there are
// rules. Throws Error.
void check_policy(Policy& policy, const PolicyPlaces& places);

}  // namespace shadow::policy
