// SPDX-License-Identifier: MIT
// The program `shadow`.

#include "cli/launcher.hpp"

int main(int argc, char** argv) {
  return shadow::cli::launch(argc, argv);
}
