// SPDX-License-Identifier: MIT
// Programs that tests compare with.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::test {

struct Outcome {
  int status = 0;  // exit status; 128 + signal
  std::string out;
  std::string err;
};

// Runs a program with the environment of nobody in particular: no git configuration but `home`'s.
Outcome run(const std::vector<std::string>& argv, const std::string& cwd,
            std::string_view input = {}, const std::string& home = "/nonexistent");

}  // namespace shadow::test
