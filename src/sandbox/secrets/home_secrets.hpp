// SPDX-License-Identifier: MIT
// The names in a home under which programs keep logins, keys, histories and the like.

#pragma once

#include <string_view>
#include <vector>

namespace shadow::sandbox {

// Relative to the home, by kind.
[[nodiscard]] std::vector<std::string_view> known_home_secrets();

}  // namespace shadow::sandbox
