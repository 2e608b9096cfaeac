// SPDX-License-Identifier: MIT
// Where the calls of a CMake script write, and what they take in of what was written. Pure.

#pragma once

#include "sensitive/scripts/cmake_calls.hpp"

#include <string>
#include <string_view>

namespace shadow::sensitive {

// True if the call writes a file, where that is not plainly one of the build directory, or one
// there by a name that CMake or another program obeys: its text may come from a file of any name.
[[nodiscard]] bool writes_to_be_run(const CmakeCall& call);

// True if the call has CMake look in the build directory for files to run.
[[nodiscard]] bool loads_of_build_directory(const CmakeCall& call);

// True if the call may set one of the variables by which the others know a place, or that stands in
// a judged template.
[[nodiscard]] bool sets_places(const CmakeCall& call);

// Takes the "@NAME@" out of a template, which becomes a script. Returns the lines in which anything
// may come of them.
[[nodiscard]] std::string filled_in(std::string& script);

// True for a name by which CMake, an editor or another program obeys a file of the build directory.
[[nodiscard]] bool is_obeyed_by_name(std::string_view path);

}  // namespace shadow::sensitive
