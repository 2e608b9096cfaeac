// SPDX-License-Identifier: MIT
// The words of the dialogue of -p. Pure.

#pragma once

#include "cli/terminal/part_dialogue.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

// "(1/3) Apply this hunk to the project [y,n,q,a,d,j,J,g,/,s,e,?]?"
[[nodiscard]] std::string part_prompt(PickFor what, const PartQuestion& question);

// A line for each key that makes sense.
[[nodiscard]] std::string part_help(PickFor what, const PartQuestion& question);

// A numbered line for each part, with a sign for what was decided.
[[nodiscard]] std::string part_list(const std::vector<Part>& parts);

// "M  path  (remarks)".
[[nodiscard]] std::string change_line(const ReviewItem& item, std::string_view from);

// True if git's patch does not show everything about a change: permissions other than "executable",
// attributes, a type, a reason to look twice.
[[nodiscard]] bool has_more_than_a_patch(const ReviewItem& item);

// The text around a hunk in the editor. Both have five lines and more: vim reads modelines from the
// first and the last five, and the lines between are an agent's.
[[nodiscard]] std::string edit_guide_above();
[[nodiscard]] std::string edit_guide_below(PickFor what);

}  // namespace shadow::cli
