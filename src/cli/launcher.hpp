// SPDX-License-Identifier: MIT
// The entries of the two programs: everything in main() but its name.

#pragma once

namespace shadow::cli {

// `shadow`: does `run` and `shell`, hands the other commands over to shadow-review.
int launch(int argc, char** argv);

// `shadow-review`: does the other commands.
int review(int argc, char** argv);

}  // namespace shadow::cli
