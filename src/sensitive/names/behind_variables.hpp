// SPDX-License-Identifier: MIT
// Names in a script whose directory the text does not tell. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// What stands behind a directory that the text does not tell: "check" of "$PWD/check",
// "$(git rev-parse --show-toplevel)/check", "${workspaceFolder}/check". One pass: the text is
// anybody's, and may open very many brackets.
[[nodiscard]] std::vector<std::string> names_behind_variables(std::string_view line);

}  // namespace shadow::sensitive
