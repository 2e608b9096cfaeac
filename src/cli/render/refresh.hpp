// SPDX-License-Identifier: MIT
// Texts and JSON about a refresh that was planned or done. Pure.

#pragma once

#include "shadow/refresh.hpp"

#include "cli/render/json.hpp"

#include <cstdint>
#include <string>

namespace shadow::cli {

enum class RefreshTense : std::uint8_t { Planned, Done };

[[nodiscard]] std::string refresh_text(const RefreshReport& report, RefreshTense tense, bool color);

[[nodiscard]] Json refresh_json(const RefreshReport& report);

}  // namespace shadow::cli
