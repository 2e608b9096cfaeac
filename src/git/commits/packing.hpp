// SPDX-License-Identifier: MIT
// The findings on each branch, as bytes for the pipe of the process that read the objects.

#pragma once

#include "shadow/commits.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::git {

[[nodiscard]] std::string pack(const std::vector<BranchWork>& rows);

// nullopt for bytes that `pack` did not make.
[[nodiscard]] std::optional<std::vector<BranchWork>> unpack(std::string_view bytes);

}  // namespace shadow::git
