// SPDX-License-Identifier: MIT
// Colour, as git uses it.

#pragma once

#include "shadow/change.hpp"
#include "shadow/patch_text.hpp"

#include <string>
#include <string_view>

namespace shadow::cli {

enum class Paint : std::uint8_t { Plain, Bold, Red, Green, Yellow, Cyan, Magenta };

// `text` between the escape sequences of `paint`; as it is without colour.
[[nodiscard]] std::string painted(Paint paint, std::string_view text, bool color);

[[nodiscard]] Paint paint_of(ChangeKind kind);
[[nodiscard]] Paint paint_of(PatchPart part);

}  // namespace shadow::cli
