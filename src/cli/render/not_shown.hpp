// SPDX-License-Identifier: MIT
// Changes that commits bring and the work tree does not show.

#pragma once

#include "cli/render/json.hpp"

#include <string>
#include <vector>

namespace shadow::cli {

// A line that names the paths at which commits bring what the work tree does not show; "" when
// there are none.
[[nodiscard]] std::string not_shown_text(const std::vector<std::string>& paths);
[[nodiscard]] Json not_shown_json(const std::vector<std::string>& paths);

}  // namespace shadow::cli
