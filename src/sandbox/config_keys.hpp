// SPDX-License-Identifier: MIT
// The keys of the configuration, one function each.

#pragma once

#include "shadow/policy.hpp"

#include "sandbox/config.hpp"

#include <string>
#include <string_view>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace shadow::sandbox {

struct ConfigSource {
  std::string file;
  const PolicyPlaces* places = nullptr;
  Origin origin = Origin::GlobalConfig;
};

// Throws Error "cannot read 'FILE' line N: why".
[[noreturn]] void config_error(const ConfigSource& source, const toml::source_region& where,
                               const std::string& why, const std::string& hint = {});

// Reads a table of policy keys (and, in the global part, the keys beside them) into `layer` and
// `config`. `project` tables are left to the caller.
void read_config_table(const toml::table& table, const ConfigSource& source, PolicyLayer& layer,
                       Config& config);

}  // namespace shadow::sandbox
