// SPDX-License-Identifier: MIT
// Pid 1 of a run: finishes the namespaces, starts the command, reaps, forwards signals.

#pragma once

#include "sandbox/mounts/init_context.hpp"

namespace shadow::sandbox {

// Does not return.
[[noreturn]] void run_init(const InitContext& context);

}  // namespace shadow::sandbox
