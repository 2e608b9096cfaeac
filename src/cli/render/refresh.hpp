// SPDX-License-Identifier: MIT
// What a refresh of the session did, or would do. Pure.

#pragma once

#include "cli/render/json.hpp"
#include "refresh/refresh.hpp"

#include <cstdint>
#include <string>

namespace shadow::cli {

enum class RefreshTense : std::uint8_t { Planned, Done };

[[nodiscard]] std::string refresh_text(const refresh::RefreshReport& report, RefreshTense tense,
                                       bool color);

[[nodiscard]] Json refresh_json(const refresh::RefreshReport& report);

}  // namespace shadow::cli
