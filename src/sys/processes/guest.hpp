// SPDX-License-Identifier: MIT
// Whether this process is another program's, which has this code as a library.
//
// Such a process is not moved into namespaces, and where its executable lies says nothing of where
// ours are.

#pragma once

#include <string>

namespace shadow::sys {

// Makes it one, for good. `programs` is the directory of the program `shadow` (helper_program.hpp).
void become_guest(const std::string& programs);

[[nodiscard]] bool is_guest();

// What become_guest was told; "" in a program of our own.
[[nodiscard]] std::string guest_programs();

}  // namespace shadow::sys
