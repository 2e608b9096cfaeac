// SPDX-License-Identifier: MIT
// Values of an editor's settings that may be places of what it runs. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

struct PlacesOfSettings {
  std::vector<std::string> any;        // of a directory what lies in it and can run
  std::vector<std::string> arguments;  // of lists: a file of any name
};

// Extensions have more keys for directories of tools, plugins and scripts than anybody lists
// (https://code.visualstudio.com/docs/configure/settings): each value is one, but for those of keys
// that only say what is shown, searched, checked or left out. JSON, with comments as well, in one
// pass.
[[nodiscard]] PlacesOfSettings places_of_settings(std::string_view text);

}  // namespace shadow::sensitive
