// SPDX-License-Identifier: MIT
// Paths in the arguments of a CMake script. Pure.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace shadow::sensitive {

// Where a relative path is looked for: cmake-commands(7), each command by itself.
enum class RelativeTo : std::uint8_t { Build, Sources };

// Take the variable of a place off the path, if one begins it.
bool take_build_place(std::string_view& path);
bool take_source_place(std::string_view& path);

// True if the text has the variable of a place of the build directory in it.
[[nodiscard]] bool names_build_place(std::string_view text);

// True if there is no variable in it but the project's name, and nothing else that may be any text.
[[nodiscard]] bool is_plain_text(std::string_view text);

// True if it is such a text, and stays below where it begins.
[[nodiscard]] bool is_plain_path(std::string_view path);

// The path below the build directory, if it plainly lies there.
[[nodiscard]] std::optional<std::string_view> path_in_build(std::string_view path,
                                                            RelativeTo relative);

}  // namespace shadow::sensitive
