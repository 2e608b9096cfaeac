// SPDX-License-Identifier: MIT
// Tells a process of ours from another program that uses this code as a library.
//
// Such a process is not moved into namespaces, and the place of its executable does not show where
// our programs are.

#pragma once

#include <string>

namespace shadow::sys {

// Makes it one, for good. `programs` is the directory of the program `shadow` (helper_program.hpp).
void become_guest(const std::string& programs);

[[nodiscard]] bool is_guest();

// The argument of become_guest; "" in a program of our own.
[[nodiscard]] std::string guest_programs();

}  // namespace shadow::sys
