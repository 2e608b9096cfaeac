// SPDX-License-Identifier: MIT
// The named policies.

#pragma once

#include "shadow/policy.hpp"

#include <string>

namespace shadow::policy {

// Throws Error, with the names there are, for an unknown one.
[[nodiscard]] PolicyLayer profile_layer(const std::string& name, const PolicyPlaces& places);

}  // namespace shadow::policy
