// SPDX-License-Identifier: MIT
// The named policies.

#pragma once

#include "policy/policy.hpp"

#include <string>
#include <vector>

namespace shadow::policy {

// Throws Error, with the names there are, for an unknown one.
[[nodiscard]] PolicyLayer profile_layer(const std::string& name, const PolicyPlaces& places);

// "strict", "agent" and "default"; what they are is in profile.cpp.
[[nodiscard]] std::vector<std::string> profile_names();

}  // namespace shadow::policy
