// SPDX-License-Identifier: MIT
// Paths of the programs that belong to this library.

#pragma once

#include <string>

namespace shadow {

// The directory of the program `shadow`: from where the library lies, whether it was installed,
// moved as a whole with the programs, or is in a build tree; else where the build was told.
[[nodiscard]] std::string installed_programs();

}  // namespace shadow
