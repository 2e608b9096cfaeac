// SPDX-License-Identifier: MIT
// Finds names in the text of a script or a set-up: words that may be files of the project, rather
// one too many. Pure.

#pragma once

#include "sensitive/scripts/mention.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// A text has a kind by its own: Python where its name or first line says so, git's configuration
// by what it says, else Script.
[[nodiscard]] TextKind kind_of_script(std::string_view name, std::string_view text);

[[nodiscard]] std::vector<Mention> mentions_in(std::string_view text, TextKind kind);

// Endings that its path may lack: that of a file, or those inside of a directory.
[[nodiscard]] std::span<const std::string_view> endings_of(const Mention& one);

}  // namespace shadow::sensitive
