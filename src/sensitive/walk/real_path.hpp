// SPDX-License-Identifier: MIT
// Resolves a path of the user's own, even if it does not exist yet.

#pragma once

#include <string>

namespace shadow::sensitive {

// Resolves as realpath(3) does, but keeps a part that does not exist as it is written, and so the
// target of a dangling link. Empty for a path that is not absolute, or goes in a circle.
[[nodiscard]] std::string real_path_of(const std::string& path);

}  // namespace shadow::sensitive
