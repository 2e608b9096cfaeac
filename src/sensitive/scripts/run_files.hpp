// SPDX-License-Identifier: MIT
// Files that a command line has a program run, by whatever name. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

struct RunFiles {
  std::vector<std::string> files;
  std::vector<std::string> directories;  // with all that lies in them; "." is where the line stands
  std::vector<std::string> modules;      // of Python
};

// What options hand to the program ("make -f x", "vim -S x", "--rcfile=x", "--load-plugins a.b"),
// what a shell gets to read ("cat x | sh", "sh <x", "eval "$(cat x)""), and what is built to be run
// ("go run .", "cargo run --bin x"). In one pass.
[[nodiscard]] RunFiles files_run_by(std::string_view line);

}  // namespace shadow::sensitive
