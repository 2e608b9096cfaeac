// SPDX-License-Identifier: MIT
// Branch rows as bytes, for the pipe from the process that looked at the objects.

#pragma once

#include "shadow/commits.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::review {

[[nodiscard]] std::string pack(const std::vector<BranchWork>& rows);

// nullopt for bytes that `pack` did not make.
[[nodiscard]] std::optional<std::vector<BranchWork>> unpack(std::string_view bytes);

}  // namespace shadow::review
