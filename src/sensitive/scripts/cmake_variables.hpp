// SPDX-License-Identifier: MIT
// Variables of CMake's that say what it runs, and code in the values of others. Pure.

#pragma once

#include "sensitive/scripts/cmake_calls.hpp"

namespace shadow::sensitive {

// True if the call may set a variable or a property by which CMake finds what it runs, also by a
// name that is only put together there.
[[nodiscard]] bool sets_programs(const CmakeCall& call);

// True if a module of CMake's may take a text of the call for code.
[[nodiscard]] bool passes_code(const CmakeCall& call);

// True if the call brings code of the project's into what CMake's checks compile and run
// (check_c_source_runs() of CheckCSourceRuns, and others).
[[nodiscard]] bool feeds_checks(const CmakeCall& call);

}  // namespace shadow::sensitive
