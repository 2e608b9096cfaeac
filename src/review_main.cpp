// SPDX-License-Identifier: MIT
// The program `shadow-review`, which `shadow` starts for every command but `run` and `shell`.

#include "helpers/program.hpp"
#include "sys/processes/standard_streams.hpp"

int main(int argc, char** argv) {
  shadow::sys::fill_standard_streams();
  return shadow::helpers::run_program({argv + (argc > 0 ? 1 : 0), argv + argc});
}
