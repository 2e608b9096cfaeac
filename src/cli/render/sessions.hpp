// SPDX-License-Identifier: MIT
// `shadow list`. Pure.

#pragma once

#include "shadow/records.hpp"

#include "cli/render/json.hpp"

#include <string>
#include <vector>

namespace shadow::cli {

[[nodiscard]] std::string sessions_text(const std::vector<ListedSession>& sessions);
[[nodiscard]] Json sessions_json(const std::vector<ListedSession>& sessions);

}  // namespace shadow::cli
