// SPDX-License-Identifier: MIT
// What a meson.build does as an editor configures the project. Pure.

#pragma once

#include <string>
#include <string_view>

namespace shadow::sensitive {

// The lines that run programs or tell which ones are run, and all of a call that begins there.
[[nodiscard]] std::string calls_of_meson(std::string_view text);

}  // namespace shadow::sensitive
