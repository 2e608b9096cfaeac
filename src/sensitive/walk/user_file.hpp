// SPDX-License-Identifier: MIT
// Files of the user's own, and names that they give them.

#pragma once

#include <cstdint>
#include <string>

namespace shadow::sensitive {

inline constexpr std::uint64_t kMostUserText = 1U << 20U;

// The text of a file, wherever links lead; empty if it is none, larger than `most` or cannot be
// read.
[[nodiscard]] std::string text_of_user_file(const std::string& path,
                                            std::uint64_t most = kMostUserText);

// A path that begins with "~", "~/" or "~user" with the directory that this stands for, as shells
// and git have it (git's path.c, interpolate_path); any other as it is.
[[nodiscard]] std::string with_home(const std::string& path, const std::string& home);

}  // namespace shadow::sensitive
