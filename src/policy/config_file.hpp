// SPDX-License-Identifier: MIT
// The file of the user's configuration: $XDG_CONFIG_HOME/shadow/config.toml, else
// ~/.config/shadow/config.toml.

#pragma once

#include "policy/config.hpp"
#include "policy/policy.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace shadow::policy {

// "" when the caller has neither of the two directories.
[[nodiscard]] std::string config_path(const std::string& home);

// Reads it; without a file nothing is set. Throws Error naming file and line for what is not TOML,
// for a key that does not exist (with the nearest that does), and for a value that is not one.
[[nodiscard]] Config load_config(const PolicyPlaces& places);

// The same from a text; `file` is for messages.
[[nodiscard]] Config parse_config(std::string_view text, const std::string& file,
                                  const PolicyPlaces& places);

// The value of the key `state_dir`: absolute, or kStateInMemory. Read separately, because the state
// is needed before the project is known. Costs one failed open if the user has no configuration.
[[nodiscard]] std::optional<std::string> configured_state_dir();

// The name of a file in the project that somebody could take for a configuration of shadow. None is
// ever read: an agent can write it.
[[nodiscard]] std::optional<std::string> project_config_present(int project);

}  // namespace shadow::policy
