// SPDX-License-Identifier: MIT
// The program `shadow`: everything in its main() but the name.

#pragma once

namespace shadow::launcher {

// Does `run` and `shell`, hands the other commands over to shadow-review.
int launch(int argc, char** argv);

}  // namespace shadow::launcher
