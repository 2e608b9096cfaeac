// SPDX-License-Identifier: MIT
// Hunks: the parts of a change of one text that a person takes or leaves one by one.

#pragma once

#include "shadow/patch_text.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shadow {

// The side that has a line: both, the after side alone, or the before side alone.
enum class LineKind : std::uint8_t { Context, Added, Removed };

// One line with its newline; without one only where the text ends so.
struct HunkLine {
  LineKind kind = LineKind::Context;
  std::string text;
};

// `before_line` and `after_line` count from 0: the number of lines before the hunk in each text.
// `heading` is what git prints after the second "@@".
struct Hunk {
  std::size_t before_line = 0;
  std::size_t after_line = 0;
  std::string heading;
  std::vector<HunkLine> lines;
};

// The hunk in as many pieces as it has groups of changed lines; a single one when it cannot be
// split. Neighbours share the context between them. Any subset of the pieces can be applied.
[[nodiscard]] std::vector<Hunk> split_hunk(const Hunk& hunk);

// The "@@" line and the lines of a hunk, a piece each.
void write_hunk(const Hunk& hunk, const PatchSink& sink);

}  // namespace shadow
