// SPDX-License-Identifier: MIT
// What the times of the project's directories tell of a file in them.

#pragma once

#include <cstdint>
#include <string_view>

namespace shadow::bases {

// True if the path may have come into the project after that time with a directory: a file that is
// moved so keeps its times. The directory gets a new one, and so does the one that it came into.
// `project` is the real root's descriptor.
[[nodiscard]] bool may_have_moved_in(int project, std::string_view path, std::int64_t since_ns);

// The same for the directory itself.
[[nodiscard]] bool may_have_come(int project, std::string_view directory, std::int64_t since_ns);

}  // namespace shadow::bases
