// SPDX-License-Identifier: MIT
// Files that are no one's in particular, a part of which tells programs what to run or load: lines
// of attributes, the plugins of linters in pyproject.toml, hooks in package.json, what a build
// script runs as an editor configures the project. Pure.

#pragma once

#include <string>
#include <string_view>

namespace shadow::sensitive {

// The reason for a change of such a part.
inline constexpr std::string_view kObeyedInPart =
    "a part of it says what editors, language servers or git hooks run";

// True if a line of gitattributes(5) may name a program: any attribute that git, or a host of
// repositories, does not take for a mere property, macros among them.
[[nodiscard]] bool names_programs(std::string_view attributes);

// The parts of the text of a file for which is_tool_file() that set something, or all of it where
// they cannot be found. Equal parts set the same.
[[nodiscard]] std::string tool_settings_in(std::string_view name, std::string_view text);

// What may name files that are run or loaded as well, of a file that is obeyed in part, or of a
// checker's configuration, which also names what it only reads or leaves out; else all of the text.
[[nodiscard]] std::string leading_settings_in(std::string_view name, std::string_view text);

}  // namespace shadow::sensitive
