// SPDX-License-Identifier: MIT
// What build scripts do as an editor configures the project: of CMakeLists.txt and *.cmake, of
// templates of these ("*.cmake.in"), and of meson.build. Pure.

#pragma once

#include <string>
#include <string_view>

namespace shadow::sensitive {

// The calls that run other programs, or say which ones are run; that write elsewhere than to the
// build directory, or there what is run or obeyed; that take in what is not in the project, or not
// judged there. `name` is folded.
[[nodiscard]] std::string calls_of_build(std::string_view name, std::string_view text);

}  // namespace shadow::sensitive
