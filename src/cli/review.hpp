// SPDX-License-Identifier: MIT
// The command line but for `run` and `shell`.

#pragma once

#include "cli/parser/parser.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace shadow::cli {

// The needs of a command: the state, or nothing for --help and --version.
enum class Needs : std::uint8_t { Nothing, State };

// Does what the words ask for, and returns the exit status. `seen` gets what is known of the words
// before they are read; `prepare` is called once they are understood.
[[nodiscard]] int review(const std::vector<std::string>& words, Glance& seen,
                         const std::function<void(Needs needs)>& prepare);

}  // namespace shadow::cli
