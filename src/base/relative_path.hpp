// SPDX-License-Identifier: MIT
// Paths as text.

#pragma once

#include <string>
#include <string_view>

namespace shadow {

// `path` as seen from the directory `from`, both relative to one root ("" is the root): "../a/b",
// "./" for the directory itself. A name that begins with ':', which as an argument would be magic,
// has "./" before it.
[[nodiscard]] std::string relative_path(std::string_view path, std::string_view from);

// The absolute path that `path` is when "." and ".." are resolved as text, wherever links lead.
[[nodiscard]] std::string without_dots(std::string_view path);

}  // namespace shadow
