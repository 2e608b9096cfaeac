// SPDX-License-Identifier: MIT
// The program `shadow`.

#include "launcher/launcher.hpp"

int main(int argc, char** argv) {
  return shadow::launcher::launch(argc, argv);
}
