// SPDX-License-Identifier: MIT
// Hunks: the parts of a change of one text that a person takes or leaves one by one. They are put
// into the text here: git_apply crashes on valid patches (libgit2/libgit2#6654) and follows links.

#pragma once

#include "shadow/patch.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

// A file that can be executed is text unless it is known to be something else.
enum class Executable : std::uint8_t { No, Yes };

// The hunks that turn `before` into `after`, in order; nullopt when one of them is not text.
[[nodiscard]] std::optional<std::vector<Hunk>> find_hunks(std::string_view before,
                                                          std::string_view after,
                                                          unsigned context_lines = 3,
                                                          Executable executable = Executable::No);

// The hunk in as many pieces as it has groups of changed lines; a single one when it cannot be
// split. Neighbours share the context between them. Any subset of the pieces can be applied.
[[nodiscard]] std::vector<Hunk> split_hunk(const Hunk& hunk);

// The hunk that undoes it.
[[nodiscard]] Hunk reversed(Hunk hunk);

// `text` with these of its hunks (made from it by find_hunks, split_hunk or edit_hunk) applied, in
// any order. What is left when hunks are taken out of a change is apply_hunks(after,
// {reversed(hunk), ...}). Throws Error when a hunk does not fit.
[[nodiscard]] std::string apply_hunks(std::string_view text, std::vector<Hunk> hunks);

// The "@@" line and the lines of a hunk, a piece each.
void write_hunk(const Hunk& hunk, const PatchSink& sink);

// Which text an edited hunk must still fit.
enum class EditedSide : std::uint8_t {
  Before,  // ' ' and '-' lines stay: the hunk will be applied
  After    // ' ' and '+' lines stay: the hunk will be undone
};

// Reads back a hunk that was written by write_hunk and edited. Lines that begin with '#' and the
// "@@" line are left out, an empty line is an empty line of context. nullopt when no change is
// left. Throws Error when it is no hunk, or no longer fits the text on `side`.
[[nodiscard]] std::optional<Hunk> edit_hunk(const Hunk& hunk, std::string_view edited,
                                            EditedSide side);

}  // namespace shadow
