// SPDX-License-Identifier: MIT
// The policy options as a layer of the policy.

#pragma once

#include "shadow/policy.hpp"

#include "cli/parser/options.hpp"

namespace shadow::launcher {

// Throws Error naming the option whose value cannot be understood.
[[nodiscard]] PolicyLayer command_line_layer(const cli::PolicyFlags& flags,
                                             const PolicyPlaces& places);

}  // namespace shadow::launcher
