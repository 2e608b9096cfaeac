// SPDX-License-Identifier: MIT
// Files for many uses, a part of which tools obey: see sensitive/names/embedded_settings.hpp.

#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace shadow {

[[nodiscard]] inline bool is_tool_file(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames = {"package.json", "pyproject.toml", "setup.cfg",
                                                      "tox.ini"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace shadow
