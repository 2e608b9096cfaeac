// SPDX-License-Identifier: MIT
// Texts by chance, as reviews meet them.

#pragma once

#include "support/chance.hpp"

#include <cstddef>
#include <string>

namespace shadow::test {

// Text of lines that repeat often, ends of all kinds; sometimes empty.
[[nodiscard]] std::string random_text(Chance& chance, std::size_t most_lines);
// Some lines changed, removed, added, moved.
[[nodiscard]] std::string edited_text(Chance& chance, const std::string& text);

}  // namespace shadow::test
