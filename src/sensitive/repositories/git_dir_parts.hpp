// SPDX-License-Identifier: MIT
// What git runs or obeys in a git directory. Pure.

#pragma once

#include <string>
#include <string_view>

namespace shadow::sensitive {

// The reason for a path, which is folded, in a git directory; "" where there is none.
[[nodiscard]] std::string_view reason_in_git_dir(const std::string& folded);

}  // namespace shadow::sensitive
