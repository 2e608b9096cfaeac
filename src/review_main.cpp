// SPDX-License-Identifier: MIT
// The program `shadow-review`, which `shadow` starts for every command but `run` and `shell`.

#include "cli/launcher.hpp"

int main(int argc, char** argv) {
  return shadow::cli::review(argc, argv);
}
