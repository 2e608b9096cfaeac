// SPDX-License-Identifier: MIT
// Tables of TOML and sections of INI by which linters, checkers and managers of environments load
// code. Not by toml++, which is for the user's own file: what it refuses another reader may obey,
// so that each statement counts as it stands, and its faults with malformed texts
// (policy/config_keys.hpp) would be for an agent to use. Pure.

#pragma once

#include <string>
#include <string_view>

namespace shadow::sensitive {

// Those of pyproject.toml, and keys of such a name wherever they stand.
[[nodiscard]] std::string tables_of_toml(std::string_view text);

// Those of Cargo.toml by which a crate runs as it is compiled.
[[nodiscard]] std::string crate_settings_in(std::string_view text);

// The same of setup.cfg and tox.ini, as configparser of Python reads them.
[[nodiscard]] std::string sections_of_ini(std::string_view text);

}  // namespace shadow::sensitive
