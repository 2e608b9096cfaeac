// SPDX-License-Identifier: MIT
// realpath(3), for paths of the user's own.

#pragma once

#include <optional>
#include <string>

namespace shadow::sys {

// The absolute path without links; nullopt if it does not exist, with errno set.
[[nodiscard]] std::optional<std::string> real_path(const std::string& path);

}  // namespace shadow::sys
