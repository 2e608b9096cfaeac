// SPDX-License-Identifier: MIT
// The policy options as a layer of the policy.

#pragma once

#include "cli/parser/options.hpp"
#include "policy/policy.hpp"

namespace shadow::launcher {

// Throws Error naming the option whose value cannot be understood.
[[nodiscard]] policy::PolicyLayer command_line_layer(const cli::PolicyFlags& flags,
                                                     const policy::PolicyPlaces& places);

}  // namespace shadow::launcher
