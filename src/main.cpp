// SPDX-License-Identifier: MIT
// The program `shadow`.

#include "launcher/launcher.hpp"
#include "sys/processes/standard_streams.hpp"

int main(int argc, char** argv) {
  shadow::sys::fill_standard_streams();
  return shadow::launcher::launch(argc, argv);
}
