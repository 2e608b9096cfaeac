// SPDX-License-Identifier: MIT
// What the caller's environment tells git, shells and editors to run or obey.

#pragma once

#include "base/git_config_text.hpp"
#include "sensitive/names/known_variables.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

struct UserVariable {
  std::string name;
  std::string value;
  VariableUse use;
};

// Those of this process that are set.
[[nodiscard]] std::vector<UserVariable> user_variables();

// The settings of GIT_CONFIG_COUNT with its keys and values, and of GIT_CONFIG_PARAMETERS
// (git-config(1), ENVIRONMENT), of this process.
[[nodiscard]] std::vector<GitConfigEntry> settings_of_environment();

// The text of GIT_CONFIG_PARAMETERS: 'key'='value' or 'key=value' in git's own quotes (quote.c,
// sq_dequote_step; config.c, git_config_from_parameters). What comes behind an error is left out,
// as git dies of it. Pure.
[[nodiscard]] std::vector<GitConfigEntry> parse_config_parameters(std::string_view text);

}  // namespace shadow::sensitive
