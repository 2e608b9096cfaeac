// SPDX-License-Identifier: MIT
// The calls of a CMake script (cmake-language(7)). Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// An argument without quotes, and with its escapes resolved; an unquoted one is split at
// semicolons.
struct CmakeArgument {
  std::string text;
  bool quoted = false;  // it stays one, whatever a variable in it holds
};

struct CmakeCall {
  std::string name;                    // in small letters
  std::vector<CmakeArgument> written;  // the case of a variable's name matters
  std::vector<std::string> arguments;  // the same in small letters
  std::string text;                    // as it is written, with a comment in it
};

// Those of the whole text, up to where CMake would take it for no script: then it runs none of it.
[[nodiscard]] std::vector<CmakeCall> cmake_calls_in(std::string_view text);

}  // namespace shadow::sensitive
