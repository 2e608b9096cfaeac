// SPDX-License-Identifier: MIT
// What the process that looked at the objects found on each branch, as bytes for its pipe.

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
