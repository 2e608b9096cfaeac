// SPDX-License-Identifier: MIT
// Resolves a path of the user's own, even if it does not exist yet.

#pragma once

#include <string>

namespace shadow::sensitive {

// As realpath(3), but what does not exist stays as it is written, behind what does; so does what a
// dangling link leads to. Empty for what is not absolute, or in a circle.
[[nodiscard]] std::string real_path_of(const std::string& path);

}  // namespace shadow::sensitive
