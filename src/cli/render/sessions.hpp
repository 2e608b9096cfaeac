// SPDX-License-Identifier: MIT
// `shadow list`. Pure.

#pragma once

#include "cli/render/json.hpp"
#include "status/listing.hpp"

#include <string>
#include <vector>

namespace shadow::cli {

[[nodiscard]] std::string sessions_text(const std::vector<status::ListedSession>& sessions);
[[nodiscard]] Json sessions_json(const std::vector<status::ListedSession>& sessions);

}  // namespace shadow::cli
