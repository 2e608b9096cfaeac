// SPDX-License-Identifier: MIT
// The calls of a CMake script (cmake-language(7)). Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// Names and arguments are in small letters, arguments without quotes, and unquoted ones split at
// semicolons.
struct CmakeCall {
  std::string name;
  std::vector<std::string> arguments;
  std::string text;  // as it is written, with a comment in it
};

// Those of the whole text, up to where CMake would take it for no script: then it runs none of it.
[[nodiscard]] std::vector<CmakeCall> cmake_calls_in(std::string_view text);

}  // namespace shadow::sensitive
