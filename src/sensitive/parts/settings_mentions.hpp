// SPDX-License-Identifier: MIT
// What settings name that have a form of their own. Pure.

#pragma once

#include "sensitive/scripts/mention.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

struct SettingsMentions {
  std::vector<Mention> found;
  std::string script;  // the text, or the commands in it, to be read as a script
};

// Of TextKind::Values, Places or GitConfig.
[[nodiscard]] SettingsMentions settings_mentions(std::string_view text, TextKind kind);

}  // namespace shadow::sensitive
