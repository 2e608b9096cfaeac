// SPDX-License-Identifier: MIT
// What a name in a script or a set-up says of the file. Pure.

#pragma once

#include <set>
#include <string>
#include <string_view>

namespace shadow::sensitive {

// True for the ending of a script or a library.
[[nodiscard]] bool has_ending_of_program(std::string_view name);

// Names of packages of node's that the text may load, also by what eslint makes of a short one.
[[nodiscard]] std::set<std::string> packages_in(std::string_view text);

// True if a file of this name may be a program, run by whoever names it: it has the ending of a
// script or a library, or none.
[[nodiscard]] bool is_name_of_program(std::string_view name);

// True for a file of variables (".env", "ci.env"), which whoever names it takes for its own.
[[nodiscard]] bool is_name_of_variables(std::string_view name);

// True for a set-up that may name programs, or others like it ("extends", "include").
[[nodiscard]] bool is_name_of_settings(std::string_view name);

// True for a program in JavaScript or TypeScript.
[[nodiscard]] bool is_javascript(std::string_view name);

}  // namespace shadow::sensitive
