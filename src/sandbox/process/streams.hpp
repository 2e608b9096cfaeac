// SPDX-License-Identifier: MIT
// Standard input, output and error: what a run gets of its caller.

#pragma once

namespace shadow::sandbox {

// Throws Error when one of them is a directory: everything below and above it would be within reach
// of openat(2), in the caller's mounts, past the view.
void check_streams();

}  // namespace shadow::sandbox
